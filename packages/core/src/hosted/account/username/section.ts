import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { changeUsername } from "../../../identity/users/change-username.ts";
import { signUpFields } from "../../../identity/users/sign-up-fields.ts";
import type { Row } from "../../../store/schema.ts";
import { databaseOf } from "../database-of.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawNewUsername, drawUsername } from "./page.tsx";

/** The section in which users change their username. */
export const usernameSection: AccountSection = {
  name: "username",
  title: "profileUsername",
  summaries: { show: "Show the username of the signed-in user", change: "Change the username of the signed-in user" },
  fields: { username: z.string().max(300).exactOptional() },
  overview,
  pages: { edit: newUsernamePage },
  changes: { "save-username": saveUsername },
};

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { user, isReadOnly } = visit;
  const connection = await usernameDatabase(visit);
  return sectionPage(
    visit,
    {},
    {
      name: "account-username",
      hasExits: true,
      draw: (drawing) =>
        drawUsername(
          { ...drawing, problem: problemNamed(problem) },
          {
            username: user.username ?? undefined,
            edit: isReadOnly || connection === undefined ? undefined : sectionUrl(visit, { view: "edit" }),
            isSaved: done === "saved",
          },
        ),
    },
  );
}

async function newUsernamePage(visit: AccountVisit, { problem }: AccountState): Promise<Response> {
  if ((await usernameDatabase(visit)) === undefined) return redirectResponse(sectionUrl(visit));
  const screen = { username: visit.user.username ?? "", back: sectionUrl(visit) };
  return sectionPage(
    visit,
    { view: "edit" },
    { name: "account-username", draw: (drawing) => drawNewUsername({ ...drawing, problem: problemNamed(problem) }, screen) },
  );
}

async function saveUsername(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user, place } = visit;
  const connection = await usernameDatabase(visit);
  if (connection === undefined) return redirectResponse(sectionUrl(visit));
  const username = form.text("username").trim();
  if (username === user.username) return redirectResponse(sectionUrl(visit));
  const result = await changeUsername(tenant, { connection, user, username, client: place.client });
  switch (result) {
    case "changed":
      return redirectResponse(sectionUrl(visit, { done: "saved" }));
    case "outdated":
      return redirectResponse(sectionUrl(visit, { problem: "outdated" }));
    default:
      return redirectResponse(sectionUrl(visit, { view: "edit", problem: `username-${result}` }));
  }
}

/** Returns the user's password database, if its accounts have usernames. */
async function usernameDatabase(visit: AccountVisit): Promise<Row<"connections"> | undefined> {
  const connection = await databaseOf(visit);
  return connection !== undefined && signUpFields(connection).username !== "inactive" ? connection : undefined;
}
