import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { domainNameSchema } from "./domain-name.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";
import { fact, mergeMetadata, mergeSettings, readStored, storedOnly } from "../settings.ts";

const type = z.enum(["auth0_managed_certs", "self_managed_certs"]);
const status = z.enum(["pending_verification", "ready", "failed"]);
const metadataKey = z.string().min(1).max(255);
const settings = {
  tls_policy: storedOnly(z.literal("recommended")),
  custom_client_ip_header: storedOnly(
    z.enum(["true-client-ip", "cf-connecting-ip", "x-forwarded-for", "x-azure-clientip", ""]).nullable(),
    "The host application sets the trusted proxies (`trustedProxies`)",
  ),
  relying_party_identifier: domainNameSchema.meta({
    description:
      "The RP ID of passkeys on this domain: a suffix of the domain, or the RP ID of another custom domain of the tenant. Default: the domain. Passkeys stop working when it changes.",
  }),
};

/** A custom domain of the tenant as the Management API returns it. */
export const customDomainSchema = z
  .strictObject({
    custom_domain_id: fact(z.string()),
    domain: fact(z.string()),
    primary: fact(z.boolean()),
    is_default: fact(z.boolean()),
    status: fact(status),
    type: fact(type),
    verification: fact(
      z.strictObject({
        methods: z.array(z.strictObject({ name: z.literal("txt"), domain: z.string(), record: z.string() })),
        status: z.enum(["pending", "verified"]),
        error_msg: z.string().exactOptional(),
        last_verified_at: timestampSchema.exactOptional(),
      }),
    ),
    tls_policy: settings.tls_policy,
    custom_client_ip_header: settings.custom_client_ip_header,
    relying_party_identifier: z.string().exactOptional(),
    domain_metadata: storedOnly(z.record(z.string(), z.string())).exactOptional(),
    created_at: fact(timestampSchema),
  })
  .meta({ id: "CustomDomain" });

/** The result of `POST /api/v2/custom-domains/{id}/test`. */
export const customDomainTestSchema = z.strictObject({ success: z.boolean(), message: z.string() }).meta({ id: "CustomDomainTest" });

/**
 * The body of `PATCH /api/v2/custom-domains/{id}`. Omitted fields stay unchanged; in the metadata, `null` removes a
 * key.
 */
export const updateCustomDomainSchema = z
  .strictObject({
    ...settings,
    relying_party_identifier: settings.relying_party_identifier.nullable(),
    domain_metadata: z.record(metadataKey, z.string().max(255).nullable()),
  })
  .exactPartial()
  .meta({ id: "UpdateCustomDomain" });

/** The body of `POST /api/v2/custom-domains`. */
export const createCustomDomainSchema = z
  .strictObject({
    domain: domainNameSchema,
    type,
    verification_method: z.literal("txt").exactOptional(),
    ...updateCustomDomainSchema.shape,
  })
  .meta({ id: "CreateCustomDomain" });

const storedSettingsSchema = z
  .object({ ...settings, relying_party_identifier: z.string(), domain_metadata: z.record(z.string(), z.string()) })
  .exactPartial();
const storedVerificationSchema = z.object({ token: z.string(), error_msg: z.string() }).exactPartial();

/** Milliseconds within which a domain must be verified. */
export const claimLifetime = 7 * 86_400_000;

/**
 * Returns `true` if a domain was not verified in time. Responses then contain the status `failed` until `sweep` deletes
 * the domain.
 */
export function isClaimExpired({ expires_at: expiresAt }: Pick<Row<"custom_domains">, "expires_at">, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Returns the TXT record that verifies a domain. */
export function verificationRecord({ domain, verification }: Pick<Row<"custom_domains">, "domain" | "verification">): {
  readonly name: string;
  readonly value: string;
} {
  return { name: `_postern.${domain}`, value: `postern-verification=${storedVerificationSchema.parse(verification).token ?? ""}` };
}

/** Returns the `settings` column of a domain after it is created or updated. */
export function fromUpdateCustomDomain(stored: JsonObject, body: z.infer<typeof updateCustomDomainSchema>): JsonObject {
  const { domain_metadata: metadata, ...rest } = body;
  const before = readStored(storedSettingsSchema, stored).domain_metadata ?? {};
  return mergeSettings(stored, { ...rest, ...(metadata && { domain_metadata: mergeMetadata("domain_metadata", before, metadata) }) });
}

/** Reads the settings of a domain from its row. If `relying_party_identifier` is omitted, the RP ID is the domain. */
export function customDomainSettings({ settings: stored }: Pick<Row<"custom_domains">, "settings">): z.infer<typeof storedSettingsSchema> {
  return readStored(storedSettingsSchema, stored);
}

/** Converts a row to the Management API format. */
export function toCustomDomain(row: Row<"custom_domains">, now: number): z.infer<typeof customDomainSchema> {
  const record = verificationRecord(row);
  const isExpired = isClaimExpired(row, now);
  const problem = isExpired
    ? "The domain was not verified within seven days. Add it again."
    : storedVerificationSchema.parse(row.verification).error_msg;
  const { tls_policy = "recommended", custom_client_ip_header = null, ...rest } = readStored(storedSettingsSchema, row.settings);
  const ready = row.status === "ready";
  return {
    custom_domain_id: row.id,
    domain: row.domain,
    primary: row.is_default,
    is_default: row.is_default,
    status: isExpired ? "failed" : status.parse(row.status),
    type: type.parse(row.type),
    verification: {
      methods: [{ name: "txt", domain: record.name, record: record.value }],
      status: ready ? "verified" : "pending",
      ...(problem !== undefined && !ready && { error_msg: problem }),
      ...(row.verified_at !== null && { last_verified_at: toTimestamp(row.verified_at) }),
    },
    tls_policy,
    custom_client_ip_header,
    ...rest,
    created_at: toTimestamp(row.created_at),
  };
}
