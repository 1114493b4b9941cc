import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { maySetPasswords } from "../../../identity/passwords/self-service.ts";
import { passwordRules } from "../../../identity/passwords/policy.ts";
import { changeOwnPassword } from "../../../identity/users/change-own-password.ts";
import { refusedPassword, rulesWithResults } from "../../../login/new-password.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import { databaseOptions } from "../../../model/connections/strategies/database-options.ts";
import type { Row } from "../../../store/schema.ts";
import { momentText } from "../date-text.ts";
import { databaseOf } from "../database-of.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawChangePassword, drawPasswordState } from "./page.tsx";

/** The section in which users change their password. */
export const passwordSection: AccountSection = {
  name: "password",
  title: "passwordLabel",
  summaries: { show: "Show whether the signed-in user can change the password", change: "Change the password of the signed-in user" },
  fields: { password: z.string().max(10_000).exactOptional() },
  overview,
  pages: { edit: newPasswordPage },
  changes: { "set-password": setPassword },
};

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { user, isReadOnly } = visit;
  const connection = await passwordDatabase(visit);
  return sectionPage(
    visit,
    {},
    {
      name: "account-password",
      hasExits: true,
      draw: (drawing) =>
        drawPasswordState(
          { ...drawing, problem: problemNamed(problem) },
          {
            changedAt: user.last_password_reset === null ? undefined : momentText(visit, drawing.t, user.last_password_reset),
            edit: isReadOnly || connection === undefined ? undefined : sectionUrl(visit, { view: "edit" }),
            isChangeable: connection !== undefined,
            isSaved: done === "saved",
          },
        ),
    },
  );
}

async function newPasswordPage(visit: AccountVisit, { problem, unkept }: AccountState): Promise<Response> {
  const connection = await passwordDatabase(visit);
  if (connection === undefined) return redirectResponse(sectionUrl(visit));
  const rules = rulesWithResults(passwordRules("", databaseOptions(connection)), unkept?.split(" "));
  return sectionPage(
    visit,
    { view: "edit" },
    {
      name: "account-password",
      draw: (drawing) =>
        drawChangePassword({ ...drawing, problem: problemNamed(problem) }, { account: nameOf(visit.user), rules, back: sectionUrl(visit) }),
    },
  );
}

async function setPassword(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user, session, place } = visit;
  const connection = await passwordDatabase(visit);
  if (connection === undefined) return redirectResponse(sectionUrl(visit));
  const password = form.text("password");
  const again = (state: AccountState): Response => redirectResponse(sectionUrl(visit, { view: "edit", ...state }));
  if (password === "") return again({ problem: "password-missing" });
  const result = await changeOwnPassword(tenant, { connection, user, password, sessionId: session.id, client: place.client });
  if (result === "changed") return redirectResponse(sectionUrl(visit, { done: "saved" }));
  if (result === "lost-race") return redirectResponse(sectionUrl(visit, { problem: "outdated" }));
  const { problem, unkept = [] } = refusedPassword(result);
  return again({ problem, ...(unkept.length > 0 && { unkept: unkept.join(" ") }) });
}

/** Returns the user's password database, if its users may set their passwords. */
async function passwordDatabase(visit: AccountVisit): Promise<Row<"connections"> | undefined> {
  const connection = await databaseOf(visit);
  return connection !== undefined && maySetPasswords(connection) ? connection : undefined;
}
