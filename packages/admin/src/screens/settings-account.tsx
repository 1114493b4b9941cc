import * as z from "zod";
import { Card, FactList } from "../components/blocks.tsx";
import { ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { textsOfRecord, type FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm, type FormBody } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.accountPage;

const visibilities = Object.entries(texts.visibilities);

const fields: readonly FormField[] = [
  { name: "client_id", label: texts.client, hint: texts.clientHint, kind: "line" },
  { name: "deletion_days", label: texts.deletionDays, hint: texts.deletionDaysHint, kind: "number", required: true },
  ...Object.entries(texts.sections).map(([name, label]) => ({
    name: `sections.${name}`,
    label,
    kind: "choice" as const,
    options: visibilities,
  })),
];

const sectionsSchema = z.record(z.string(), z.string());

const accountPageSchema = z.looseObject({
  client_id: z.string().exactOptional(),
  deletion_days: z.number().exactOptional(),
  sections: sectionsSchema.exactOptional(),
});

type AccountPage = z.infer<typeof accountPageSchema>;

/** Returns the setting `account_page` as it is stored. */
async function readStored({ api }: Pick<ScreenRequest, "api">): Promise<AccountPage> {
  const settings = z.looseObject({ account_page: accountPageSchema.nullish() }).parse(await read(api, ["tenants", "settings"]));
  return settings.account_page ?? {};
}

/** Returns the setting with the defaults of Postern. */
async function readAccountPage(request: ScreenRequest): Promise<AccountPage> {
  const { sections = {}, ...stored } = await readStored(request);
  const hidden = Object.keys(texts.sections).map((name) => [name, name === "security" ? "shown" : "hidden"] as const);
  return { deletion_days: 14, ...stored, sections: { ...Object.fromEntries(hidden), ...sections } };
}

/** Returns the text of a field as the page shows it. */
function shownText({ kind }: FormField, value: string | undefined): string | undefined {
  return kind === "choice" ? (visibilities.find(([name]) => name === value)?.[1] ?? value) : value;
}

/** The sections of the account page. */
const accountScreen: ConsoleScreen = {
  path: "/settings/account",
  async show(request) {
    const shown = textsOfRecord(fields, await readAccountPage(request));
    const edit = request.scopes.has("update:tenant_settings") && (
      <a class="button" href={request.links.to(["settings", "account", "edit"])}>
        {consoleTexts.edit}
      </a>
    );
    return tenantSettingsPage(
      request,
      "account",
      <Card title={texts.title} about={texts.about}>
        <FactList items={fields.map((field) => [field.label, <ValueOrDash>{shownText(field, shown[field.name])}</ValueOrDash>] as const)} />
      </Card>,
      edit,
    );
  },
};

/** Stores the changed members. The Management API replaces the setting, so the others are sent as they are stored. */
async function save(request: ScreenRequest, body: FormBody): Promise<unknown> {
  const { client_id: before, sections, ...stored } = await readStored(request);
  const { client_id: client = before, sections: changed, ...others } = body;
  return change(request.api, "PATCH", ["tenants", "settings"], {
    account_page: {
      ...stored,
      ...others,
      ...(client !== "" && client !== undefined && { client_id: client }),
      sections: { ...sections, ...sectionsSchema.parse(changed ?? {}) },
    },
  });
}

/** The page that changes the sections of the account page. */
const editScreen = editForm({
  path: "/settings/account/edit",
  title: texts.title,
  about: texts.about,
  needsRecentSignIn: true,
  read: readAccountPage,
  fields: () => fields,
  page: (request, _, form) => tenantSettingsPage(request, "account", form),
  save,
  after: (request, done) => tenantSettingsPath(request, "account", { done }),
  cancel: (request) => tenantSettingsPath(request, "account"),
});

/** The screens of the setting `account_page`. */
export const accountScreens: readonly ConsoleScreen[] = [accountScreen, editScreen];
