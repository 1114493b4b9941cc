import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { changeProfile, isProfileOfProvider } from "../../../identity/users/change-profile.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import { updateUserSchema } from "../../../model/users/users.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawEditProfile, drawProfile, type ProfileFields } from "./page.tsx";

const { name, given_name, family_name, nickname } = updateUserSchema.shape;
const changeSchema = z.object({ name, given_name, family_name, nickname });

const short = z.string().max(300).exactOptional();

/** The section in which users see and change their profile. */
export const profileSection: AccountSection = {
  name: "profile",
  title: "profileTitle",
  summaries: { show: "Show the profile of the signed-in user", change: "Change the profile of the signed-in user" },
  fields: { given_name: short, family_name: short, nickname: short },
  overview,
  pages: { edit: editPage },
  changes: { "save-profile": saveProfile },
};

async function overview(visit: AccountVisit, { done }: AccountState): Promise<Response> {
  const { user, isReadOnly } = visit;
  const provider = await providerOf(visit);
  return sectionPage(
    visit,
    {},
    {
      name: "account-profile",
      hasExits: true,
      draw: (drawing) =>
        drawProfile(drawing, {
          ...fieldsOf(user),
          account: nameOf(user),
          email: user.email,
          username: user.username ?? "",
          phone: user.phone_number ?? "",
          provider,
          edit: isReadOnly || provider !== undefined ? undefined : sectionUrl(visit, { view: "edit" }),
          isSaved: done === "saved",
        }),
    },
  );
}

async function editPage(visit: AccountVisit, state: AccountState): Promise<Response> {
  if ((await providerOf(visit)) !== undefined) return redirectResponse(sectionUrl(visit));
  return sectionPage(
    visit,
    { view: "edit" },
    {
      name: "account-profile",
      draw: (drawing) => drawEditProfile({ ...drawing, problem: problemNamed(state.problem) }, fieldsOf(visit.user), sectionUrl(visit)),
    },
  );
}

async function saveProfile(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user } = visit;
  if ((await providerOf(visit)) !== undefined) return redirectResponse(sectionUrl(visit));
  const value = (text: string): string | null => text.replaceAll(/\s+/g, " ").trim() || null;
  const { success, data } = changeSchema.safeParse({
    name: value(form.name),
    given_name: value(form.text("given_name")),
    family_name: value(form.text("family_name")),
    nickname: value(form.text("nickname")),
  });
  if (!success) return redirectResponse(sectionUrl(visit, { view: "edit", problem: "value-invalid" }));
  if (data.name === null) return redirectResponse(sectionUrl(visit, { view: "edit", problem: "name-missing" }));
  await changeProfile(tenant, user, data);
  return redirectResponse(sectionUrl(visit, { done: "saved" }));
}

/** Returns the name of the provider that sets the profile at each login. Undefined if the user can change it here. */
async function providerOf({ tenant, user }: AccountVisit): Promise<string | undefined> {
  if (user.subject_key === null) return undefined;
  const connection = await tenant.connections.named(user.connection);
  return isProfileOfProvider(user, connection) ? connection?.display_name || user.connection : undefined;
}

function fieldsOf(user: AccountVisit["user"]): ProfileFields {
  return { name: user.name, given: user.given_name ?? "", family: user.family_name ?? "", nickname: user.nickname };
}
