import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { changeProfile, isProfileOfProvider } from "../../../identity/users/change-profile.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import { isPosternError } from "../../../errors.ts";
import { updateUserSchema } from "../../../model/users/users.ts";
import { metadataFields } from "../../../tenants/account-sections.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { metadataChangeOf, metadataFacts, metadataInputs } from "./metadata.ts";
import { drawEditProfile, drawProfile, type ProfileFields } from "./page.tsx";

const changeSchema = updateUserSchema.pick({ name: true, given_name: true, family_name: true, nickname: true });

const short = z.string().max(300).exactOptional();

/** The section in which users see and change their profile. */
export const profileSection: AccountSection = {
  name: "profile",
  title: "profileTitle",
  summaries: { show: "Show the profile of the signed-in user", change: "Change the profile of the signed-in user" },
  // The fields of the metadata have names of the tenant, so that the form lists those that it shows.
  fields: { given_name: short, family_name: short, nickname: short, metadata_fields: z.string().max(2000).exactOptional() },
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
          metadata: metadataFacts(visit, drawing.t),
          provider,
          edit: isReadOnly || !hasForm(visit, provider) ? undefined : sectionUrl(visit, { view: "edit" }),
          isSaved: done === "saved",
        }),
    },
  );
}

async function editPage(visit: AccountVisit, state: AccountState): Promise<Response> {
  const provider = await providerOf(visit);
  if (!hasForm(visit, provider)) return redirectResponse(sectionUrl(visit));
  const names = provider === undefined ? fieldsOf(visit.user) : undefined;
  const back = sectionUrl(visit);
  return sectionPage(
    visit,
    { view: "edit" },
    {
      name: "account-profile",
      draw: (drawing) =>
        drawEditProfile({ ...drawing, problem: problemNamed(state.problem) }, { names, metadata: metadataInputs(visit, drawing.t), back }),
    },
  );
}

async function saveProfile(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user, place } = visit;
  const provider = await providerOf(visit);
  if (!hasForm(visit, provider)) return redirectResponse(sectionUrl(visit));
  const again = (problem: string): Response => redirectResponse(sectionUrl(visit, { view: "edit", problem }));
  const { success, data = {} } = changeSchema.safeParse(provider === undefined ? namesOf(form) : {});
  if (!success) return again("value-invalid");
  if (data.name === null) return again("name-missing");
  try {
    const metadata = metadataChangeOf(visit, form);
    const change = { ...changedNames(user, data), ...(Object.keys(metadata).length > 0 && { user_metadata: metadata }) };
    await changeProfile(tenant, { user, client: place.client }, change);
  } catch (error) {
    if (isPosternError(error) && error.code === "invalid_request") return again("value-invalid");
    throw error;
  }
  return redirectResponse(sectionUrl(visit, { done: "saved" }));
}

/** Returns the names in a form, for {@link changeSchema}. */
function namesOf(form: AccountForm): z.input<typeof changeSchema> {
  const value = (text: string): string | null => text.replaceAll(/\s+/g, " ").trim() || null;
  return {
    name: value(form.name),
    given_name: value(form.text("given_name")),
    family_name: value(form.text("family_name")),
    nickname: value(form.text("nickname")),
  };
}

/** Returns the names that the form changes. */
function changedNames(user: AccountVisit["user"], names: z.infer<typeof changeSchema>): z.infer<typeof changeSchema> {
  const { name, given_name, family_name, nickname } = user;
  const stored = new Map(Object.entries({ name, given_name, family_name, nickname }));
  return changeSchema.parse(Object.fromEntries(Object.entries(names).filter(([field, value]) => (stored.get(field) || null) !== value)));
}

/** Whether the user can change a part of the profile: the names, unless a provider sets them, or metadata. */
function hasForm({ tenant }: AccountVisit, provider: string | undefined): boolean {
  return provider === undefined || metadataFields(tenant).length > 0;
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
