import * as z from "zod";
import { Card } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import type { FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm, newForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.mail;

/** An email provider, without its secrets. */
const providerSchema = z.looseObject({
  name: z.string(),
  enabled: z.boolean().nullish(),
  default_from_address: z.string().nullish(),
  credentials: z.record(z.string(), z.unknown()).nullish(),
});

/** Reads the email provider of the tenant. Rejects with a `ManagementError` with status 404 if it has none. */
export const readProvider = async ({ api }: ScreenRequest) => providerSchema.parse(await read(api, ["emails", "provider"]));

/** The credentials of each provider. */
const credentials: { readonly [provider: string]: readonly string[] } = {
  smtp: ["smtp_host", "smtp_port", "smtp_user", "smtp_pass"],
  ses: ["region", "accessKeyId", "secretAccessKey"],
  sendgrid: ["api_key"],
  mailgun: ["domain", "region", "api_key"],
  resend: ["api_key"],
  mandrill: ["api_key"],
  sparkpost: ["region", "api_key"],
  azure_cs: ["connectionString"],
  ms365: ["tenantId", "clientId", "clientSecret"],
  custom: [],
};

/** The credentials that responses contain. */
const shownCredentials = ["region", "domain", "smtp_host", "smtp_port", "smtp_user"];

/** Returns the fields of a provider's credentials that pages can show. */
export function shownFields(provider: string): readonly FormField[] {
  return credentialFields(provider).filter(({ kind }) => kind !== "secret");
}

function credentialFields(provider: string): readonly FormField[] {
  return (credentials[provider] ?? []).map((name): FormField => {
    const common = { name: `credentials.${name}`, label: texts.fields[name] ?? name };
    if (!shownCredentials.includes(name)) return { ...common, kind: "secret", hint: texts.secretHint };
    return { ...common, kind: name === "smtp_port" ? "number" : "line" };
  });
}

const fieldsOf = (provider: string): readonly FormField[] => [
  { name: "enabled", label: texts.enabled, hint: texts.enabledHint, kind: "switch" },
  { name: "default_from_address", label: texts.from, hint: texts.fromHint, kind: "line" },
  ...credentialFields(provider),
];

/** The first step: which provider. */
const chooseScreen: ConsoleScreen = {
  path: "/settings/mail/new",
  show: (request) =>
    tenantSettingsPage(
      request,
      "mail",
      <Card title={texts.chooseTitle} about={texts.chooseAbout}>
        <ul class="tiles">
          {Object.entries(texts.names).map(([name, title]) => (
            <li key={name}>
              <a href={request.links.to(["settings", "mail", "new", name])}>
                <strong>{title}</strong>
                {texts.namesAbout[name] !== undefined && <span class="soft">{texts.namesAbout[name]}</span>}
              </a>
            </li>
          ))}
        </ul>
      </Card>,
    ),
};

function chosenProvider({ params: { provider = "" } }: ScreenRequest): string {
  if (!Object.hasOwn(texts.names, provider)) throw new ScreenNotFound();
  return provider;
}

/** The second step: the sender and the credentials. */
const newScreen = newForm({
  path: "/settings/mail/new/:provider",
  title: texts.new,
  about: texts.providerAbout,
  needsRecentSignIn: true,
  submit: texts.create,
  initial: { enabled: "true" },
  fields: (request) => fieldsOf(chosenProvider(request)),
  page: (request, form) => tenantSettingsPage(request, "mail", form),
  create: async (request, body) => {
    await change(request.api, "POST", ["emails", "provider"], { credentials: {}, ...body, name: chosenProvider(request) });
    return tenantSettingsPath(request, "mail", { done: "provider-created" });
  },
  cancel: ({ links }) => links.to(["settings", "mail", "new"]),
});

/** The page that changes the provider's sender and credentials. */
const editScreen = editForm({
  path: "/settings/mail/edit",
  title: texts.edit,
  about: texts.editAbout,
  needsRecentSignIn: true,
  read: readProvider,
  fields: ({ name }) => fieldsOf(name),
  page: (request, _, form) => tenantSettingsPage(request, "mail", form),
  save: ({ api }, body) =>
    change(api, "PATCH", ["emails", "provider"], { ...body, ...(body["default_from_address"] === "" && { default_from_address: null }) }),
  after: (request, done) => tenantSettingsPath(request, "mail", { done }),
  cancel: (request) => tenantSettingsPath(request, "mail"),
});

/** The page that removes the provider. */
const removeScreen: ConsoleScreen = {
  path: "/settings/mail/delete",
  needsRecentSignIn: true,
  async show(request) {
    await readProvider(request);
    return tenantSettingsPage(
      request,
      "mail",
      <ConfirmCard
        request={request}
        title={texts.deleteTitle}
        about={texts.deleteAbout}
        action={request.links.to(["settings", "mail", "delete"])}
        confirm={texts.delete}
        back={tenantSettingsPath(request, "mail")}
      />,
    );
  },
  async submit(request) {
    await change(request.api, "DELETE", ["emails", "provider"]);
    return redirectTo(tenantSettingsPath(request, "mail", { done: "provider-deleted" }));
  },
};

/** The pages that change the email provider. */
export const mailProviderScreens: readonly ConsoleScreen[] = [chooseScreen, newScreen, editScreen, removeScreen];
