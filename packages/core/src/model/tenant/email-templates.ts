import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { fact, readStored, storedOnly } from "../settings.ts";

/** Auth0's names for email templates. */
const emailTemplateNames = [
  "verify_email",
  "verify_email_by_code",
  "auth_email_by_code",
  "reset_email",
  "reset_email_by_code",
  "welcome_email",
  "blocked_account",
  "stolen_credentials",
  "enrollment_email",
  "mfa_oob_code",
  "user_invitation",
  "change_password",
  "password_reset",
  "async_approval",
] as const;

const template = z.enum(emailTemplateNames);

const settings = {
  template,
  body: z
    .string()
    .max(102_400)
    .nullable()
    .meta({ description: "HTML as a Liquid template. Values are escaped unless they use the filter `raw`" }),
  subject: z.string().max(1024).nullable().meta({ description: "A Liquid template" }),
  from: z
    .string()
    .max(1024)
    .nullable()
    .meta({ description: "The sender, as a Liquid template. If empty, the provider's `default_from_address` is used" }),
  syntax: z.literal("liquid").nullable(),
  enabled: z.boolean().nullable().meta({
    description: "If `false`, the built-in email is sent, but `blocked_account` is not sent. `welcome_email` is sent only if `true`",
  }),
  resultUrl: storedOnly(z.string().max(2048).nullable()),
  urlLifetimeInSeconds: storedOnly(z.number().min(0).max(31_536_000).nullable()),
  includeEmailInRedirect: storedOnly(z.boolean()),
};

const { resultUrl, urlLifetimeInSeconds, includeEmailInRedirect, ...demanded } = settings;
const optional = {
  resultUrl: resultUrl.exactOptional(),
  urlLifetimeInSeconds: urlLifetimeInSeconds.exactOptional(),
  includeEmailInRedirect: includeEmailInRedirect.exactOptional(),
};

/** A custom email template as the Management API returns it. */
export const emailTemplateSchema = z.strictObject({ ...demanded, template: fact(template), ...optional }).meta({ id: "EmailTemplate" });

/** The body of `POST /api/v2/email-templates` and of `PUT /api/v2/email-templates/{templateName}`. */
export const setEmailTemplateSchema = z.strictObject({ ...demanded, ...optional }).meta({ id: "SetEmailTemplate" });

/** The body of `PATCH /api/v2/email-templates/{templateName}`. Omitted fields stay unchanged. */
export const updateEmailTemplateSchema = z.strictObject(settings).exactPartial().meta({ id: "UpdateEmailTemplate" });

/** The stored settings. Members that a later version added are ignored. */
const storedSchema = z.object({ ...demanded, ...optional }).omit({ template: true });

/** Converts a row to the Management API format. */
export function toEmailTemplate(row: Row<"email_templates">): z.infer<typeof emailTemplateSchema> {
  return { template: template.parse(row.template), ...readStored(storedSchema, row.settings) };
}

/** Returns the `settings` column after an update. */
export function fromEmailTemplate(stored: JsonObject, { template: _, ...body }: z.infer<typeof updateEmailTemplateSchema>): JsonObject {
  return { ...stored, ...body };
}
