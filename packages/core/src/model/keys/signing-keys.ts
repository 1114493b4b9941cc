import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { queryInteger, timestampSchema, toTimestamp } from "../fields.ts";
import { invalidBody } from "../settings.ts";

/** The two types of keys (docs/keys.md). */
const bucket = z.enum(["jwt_signing", "saml_encryption"]);

/** A signing key as the Management API returns it. The private key is never included, not even encrypted. */
export const signingKeyReplySchema = z
  .strictObject({
    kid: z.string(),
    type: bucket,
    alg: z.string(),
    cert: z.string().meta({ description: "The certificate in PEM format" }),
    fingerprint: z.string().meta({ description: "The SHA-1 hash of the certificate, in colon-separated hexadecimal" }),
    thumbprint: z.string().meta({ description: "The SHA-1 hash of the certificate, in base64url" }),
    current: z.boolean().meta({ description: "The key signs tokens" }),
    next: z.boolean().meta({ description: "The key is published and will sign tokens later" }),
    previous: z.boolean().meta({ description: "The key signed tokens before and is still published" }),
    current_since: timestampSchema.exactOptional(),
    current_until: timestampSchema.exactOptional(),
    revoked: z.boolean(),
    revoked_at: timestampSchema.exactOptional(),
    expires_at: timestampSchema.meta({ description: "When the certificate expires" }),
    expired: z.boolean(),
    inherited: z.boolean().meta({ description: "The key belongs to the control plane and cannot be changed in this tenant" }),
  })
  .meta({ id: "SigningKey" });

export type SigningKeyReply = z.infer<typeof signingKeyReplySchema>;

/** The query parameters that every signing key route accepts. */
export const keyTypeQuerySchema = z.strictObject({ type: bucket.exactOptional() });

const days = { validity_days: [1, 3650], activate_in_days: [0, 365], grace_days: [0, 365] } as const;

/** The query parameters of the routes that issue a certificate. */
export const certificateQuerySchema = keyTypeQuerySchema.extend({ validity_days: queryInteger(...days.validity_days).exactOptional() });

/** The query parameters of a rotation. Each parameter may be in the query or in the body. */
export const rotationQuerySchema = certificateQuerySchema.extend({
  activate_in_days: queryInteger(...days.activate_in_days).exactOptional(),
  grace_days: queryInteger(...days.grace_days).exactOptional(),
});

const count = ([minimum, maximum]: readonly [number, number]) => z.int().min(minimum).max(maximum).exactOptional();

/** The body of a request that revokes a key or renews its certificate. */
export const certificateBodySchema = z
  .strictObject({ type: bucket.exactOptional(), validity_days: count(days.validity_days) })
  .meta({ id: "SigningKeyCertificate" });

/** The body of a request that rotates the signing key (docs/keys.md). */
export const rotationBodySchema = z
  .strictObject({
    ...certificateBodySchema.shape,
    activate_in_days: count(days.activate_in_days),
    grace_days: count(days.grace_days),
  })
  .meta({ id: "SigningKeyRotation" });

/**
 * Merges the parameters in the query and in the body.
 * @throws {PosternError} `invalid_request` if a parameter has different values in the two.
 */
export function mergedParameters<Parameters extends object>(query: Parameters, body: Parameters | undefined): Parameters {
  if (body === undefined) return query;
  const inQuery = new Map(Object.entries(query));
  const differing = Object.entries(body).find(([name, value]) => inQuery.has(name) && inQuery.get(name) !== value);
  if (differing !== undefined) throw invalidBody(`'${differing[0]}' must have the same value in the query and in the body`);
  return { ...query, ...body };
}

/** Data about a key that is not in its row. Instants are milliseconds since 1970. */
interface KeyFacts {
  readonly certificate: { readonly expiresAt: number; readonly thumbprint: string; readonly fingerprint: string };
  readonly standing: {
    readonly current: boolean;
    readonly next: boolean;
    readonly previous: boolean;
    readonly currentSince: number | undefined;
    readonly currentUntil: number | undefined;
  };
  readonly inherited: boolean;
  readonly now: number;
}

/** Converts a key to the Management API format. */
export function toSigningKey(row: Row<"signing_keys">, { certificate, standing, inherited, now }: KeyFacts): SigningKeyReply {
  const { current, next, previous, currentSince, currentUntil } = standing;
  return {
    kid: row.kid,
    type: bucket.parse(row.type),
    alg: row.alg,
    cert: row.certificate,
    fingerprint: certificate.fingerprint,
    thumbprint: certificate.thumbprint,
    current,
    next,
    previous,
    ...(currentSince !== undefined && { current_since: toTimestamp(currentSince) }),
    ...(currentUntil !== undefined && { current_until: toTimestamp(currentUntil) }),
    revoked: row.revoked_at !== null,
    ...(row.revoked_at !== null && { revoked_at: toTimestamp(row.revoked_at) }),
    expires_at: toTimestamp(certificate.expiresAt),
    expired: certificate.expiresAt <= now,
    inherited,
  };
}
