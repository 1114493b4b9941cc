import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { metadataSchema } from "../fields.ts";
import { changedDestination, mustNotNameUser, requireSecretsAgain, withoutUser, type SecretDestination } from "../secret-destinations.ts";
import { fact } from "../settings.ts";
import { maximumSenderLength, senderAddress } from "./sender-address.ts";

const name = z.enum(["mailgun", "mandrill", "sendgrid", "resend", "ses", "sparkpost", "smtp", "azure_cs", "ms365", "custom"]);
const text = (minimum: number) => z.string().min(minimum).max(5120);

/** Credentials that responses contain. */
const account = {
  api_user: text(1),
  region: text(1),
  domain: text(4).regex(withoutUser, mustNotNameUser),
  smtp_host: z.string().min(1).max(255).regex(withoutUser, mustNotNameUser),
  smtp_port: z.int().min(1).max(65_535),
  smtp_user: text(1),
};

/** Credentials that are stored encrypted and that responses do not contain. */
const secrets = {
  api_key: text(1),
  accessKeyId: text(1),
  secretAccessKey: text(1),
  smtp_pass: text(1),
  connectionString: text(1),
  tenantId: text(1),
  clientId: text(1),
  clientSecret: text(1),
};

const credentialsSchema = z
  .strictObject({ ...account, ...secrets })
  .exactPartial()
  .meta({
    description: "`api_user`, `region`, `domain`, `smtp_host`, `smtp_port` and `smtp_user` are returned; the others are never returned",
  });

/**
 * The credentials that determine where the other credentials are sent: the server, the region, the domain or the
 * directory at the provider.
 */
const destination = ["smtp_host", "smtp_port", "region", "domain", "tenantId"] as const satisfies SecretDestination;

const from = z
  .string()
  .max(maximumSenderLength)
  .regex(senderAddress, "must be one email address: login@example.com or Example <login@example.com>");

const given = {
  enabled: z.boolean(),
  default_from_address: from.meta({ description: "The sender of emails whose template does not set a sender" }),
  settings: metadataSchema.nullable().meta({ description: "Further settings, passed to the host application's email sender unchanged" }),
};

/** The email provider of a tenant as the Management API returns it. */
export const emailProviderSchema = z
  .strictObject({
    name,
    enabled: given.enabled,
    default_from_address: z.string().exactOptional(),
    credentials: fact(z.strictObject(account).exactPartial()),
    settings: metadataSchema.exactOptional(),
  })
  .meta({ id: "EmailProvider" });

/** The body of `POST /api/v2/emails/provider`. */
export const createEmailProviderSchema = z
  .strictObject({
    name,
    credentials: credentialsSchema,
    enabled: given.enabled.default(true),
    default_from_address: given.default_from_address.exactOptional(),
    settings: given.settings.exactOptional(),
  })
  .meta({ id: "CreateEmailProvider" });

/** The body of `PATCH /api/v2/emails/provider`. */
export const updateEmailProviderSchema = z
  .strictObject({
    name,
    credentials: credentialsSchema,
    ...given,
    default_from_address: from
      .nullable()
      .meta({ description: "The sender of emails whose template does not set a sender. `null` removes it" }),
  })
  .exactPartial()
  .meta({ id: "UpdateEmailProvider" });

/** The result of `POST /api/v2/emails/provider/test`. */
export const emailTestSchema = z.strictObject({ success: z.boolean(), to: z.string(), message: z.string() }).meta({ id: "EmailTest" });

type EmailCredentials = z.output<typeof credentialsSchema>;

/** Converts a row to the Management API format. */
export function toEmailProvider(row: Row<"email_providers">): z.infer<typeof emailProviderSchema> {
  return {
    name: name.parse(row.name),
    enabled: row.enabled,
    ...(row.default_from_address !== "" && { default_from_address: row.default_from_address }),
    credentials: z.object(account).exactPartial().parse(row.account),
    ...(Object.keys(row.settings).length > 0 && { settings: row.settings }),
  };
}

/** Separates the credentials that responses contain from secret credentials. */
export function splitCredentials(credentials: EmailCredentials): { readonly account: JsonObject; readonly secrets: JsonObject } {
  const entries = Object.entries(credentials);
  const isShown = ([member]: readonly [string, unknown]): boolean => Object.hasOwn(account, member);
  return { account: Object.fromEntries(entries.filter(isShown)), secrets: Object.fromEntries(entries.filter((entry) => !isShown(entry))) };
}

/** The decrypted credentials and the settings of a provider. */
interface OpenedProvider {
  readonly credentials: JsonObject;
  readonly settings: JsonObject;
}

/**
 * Requires that the stored secrets of a provider are sent again if a change affects where they are sent. For a `custom`
 * provider, any setting could determine this, so every change of a setting counts.
 * @param sent the credentials in the body.
 * @throws {PosternError} `invalid_request` that names the secrets.
 */
export function checkCredentialsStay(provider: string, before: OpenedProvider, after: OpenedProvider, sent: EmailCredentials): void {
  const changed = changedDestination(destination, before.credentials, after.credentials).map((field) => `credentials.${field}`);
  const settings = changedDestination(
    provider === "custom" ? ["settings"] : [],
    { settings: before.settings },
    { settings: after.settings },
  );
  const decides = (field: string): boolean => destination.some((one) => one === field);
  const missing = Object.keys(before.credentials).filter(
    (field) => Object.hasOwn(secrets, field) && !decides(field) && !Object.hasOwn(sent, field),
  );
  requireSecretsAgain(
    [...changed, ...settings],
    missing.map((field) => `credentials.${field}`),
  );
}
