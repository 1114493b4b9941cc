import * as z from "zod";
import { Card, FactList } from "../components/blocks.tsx";
import { ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { textsOfRecord, type FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings;

/** The settings that the pages show. Other members are ignored. */
const shownSettingsSchema = z.looseObject({});

const readSettings = async ({ api }: ScreenRequest) => shownSettingsSchema.parse(await read(api, ["tenants", "settings"]));

const fields: readonly FormField[] = [
  { name: "friendly_name", label: texts.friendlyName, hint: texts.friendlyNameHint, kind: "line" },
  { name: "support_email", label: texts.supportEmail, kind: "line" },
  { name: "support_url", label: texts.supportUrl, kind: "line" },
  { name: "session_lifetime", label: texts.sessionLifetime, hint: texts.hours, kind: "number", required: true },
  { name: "idle_session_lifetime", label: texts.idleLifetime, hint: texts.hours, kind: "number", required: true },
  { name: "enabled_locales", label: texts.languages, hint: texts.languagesHint, kind: "lines" },
  { name: "allowed_logout_urls", label: texts.logoutUrls, hint: texts.logoutUrlsHint, kind: "lines" },
];

/** The settings of the tenant. */
const generalScreen: ConsoleScreen = {
  path: "/settings",
  async show(request) {
    const shown = textsOfRecord(fields, await readSettings(request));
    const edit = request.scopes.has("update:tenant_settings") && (
      <a class="button" href={request.links.to(["settings", "edit"])}>
        {consoleTexts.edit}
      </a>
    );
    return tenantSettingsPage(
      request,
      "general",
      <Card title={texts.tabs.general}>
        <FactList
          items={fields.map(({ name, label }) => [label, <ValueOrDash>{shown[name]?.replaceAll("\n", ", ")}</ValueOrDash>] as const)}
        />
      </Card>,
      edit,
    );
  },
};

/** The page that changes the settings of the tenant. */
const editScreen = editForm({
  path: "/settings/edit",
  title: texts.tabs.general,
  needsRecentSignIn: true,
  read: readSettings,
  fields: () => fields,
  page: (request, _, form) => tenantSettingsPage(request, "general", form),
  save: ({ api }, body) => change(api, "PATCH", ["tenants", "settings"], body),
  after: (request, done) => tenantSettingsPath(request, "general", { done }),
  cancel: (request) => tenantSettingsPath(request, "general"),
});

/** The screens of the settings of the tenant. */
export const generalScreens: readonly ConsoleScreen[] = [generalScreen, editScreen];
