import * as z from "zod";
import { NoticeBox } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { submittedTexts, type FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.mail;

const templateSchema = z.looseObject({ template: z.string() });

function templateName({ params: { template = "" } }: ScreenRequest): string {
  if (!Object.hasOwn(texts.templateNames, template)) throw new ScreenNotFound();
  return template;
}

/** Reads a template. Undefined if the tenant has no such template, so that the built-in email is sent. */
async function findTemplate(request: ScreenRequest) {
  try {
    return templateSchema.parse(await read(request.api, ["email-templates", templateName(request)]));
  } catch (error) {
    if (error instanceof ManagementError && error.status === 404) return undefined;
    throw error;
  }
}

const fields: readonly FormField[] = [
  { name: "enabled", label: texts.templateEnabled, hint: texts.templateEnabledHint, kind: "switch" },
  { name: "subject", label: texts.subject, kind: "line" },
  { name: "from", label: texts.templateFrom, hint: texts.templateFromHint, kind: "line" },
  { name: "body", label: texts.body, kind: "text" },
];

const templateScreen = editForm({
  path: "/settings/mail/templates/:template",
  title: texts.template,
  about: texts.templateAbout,
  needsRecentSignIn: true,
  read: async (request) => (await findTemplate(request)) ?? { template: templateName(request), enabled: true, isNew: true },
  titleOf: ({ template }) => texts.templateNames[template] ?? template,
  fields: () => fields,
  page: (request, record, form) =>
    tenantSettingsPage(
      request,
      "mail",
      <>
        {"isNew" in record && <NoticeBox level="good">{texts.templateNew}</NoticeBox>}
        {form}
      </>,
    ),
  save: async (request, body, form) => {
    const template = templateName(request);
    if ((await findTemplate(request)) !== undefined) return change(request.api, "PATCH", ["email-templates", template], body);
    const { enabled, ...written } = submittedTexts(fields, form);
    return change(request.api, "POST", ["email-templates"], { template, syntax: "liquid", enabled: enabled === "true", ...written });
  },
  after: (request, done) => tenantSettingsPath(request, "mail", { done }),
  cancel: (request) => tenantSettingsPath(request, "mail"),
});

/** The page that changes a template of an email. */
export const mailTemplateScreens: readonly ConsoleScreen[] = [templateScreen];
