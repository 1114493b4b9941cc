import * as z from "zod";
import { timestampSchema, toTimestamp } from "../fields.ts";
import { invalidBody } from "../settings.ts";

const name = z.string().max(128);

/** The signature algorithms for client assertions. */
export const assertionAlgorithms = ["RS256", "RS384", "PS256", "ES256", "EdDSA", "Ed25519"] as const;
const algorithm = z.enum(assertionAlgorithms);
const instant = z.iso.datetime({ offset: true });

/** A stored public key that verifies a client's assertions (RFC 7523). Instants are ISO 8601. */
export const storedCredentialSchema = z.object({
  id: z.string(),
  credential_type: z.literal("public_key"),
  name: name.exactOptional(),
  kid: z.string(),
  alg: algorithm,
  pem: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().exactOptional(),
});

/** A client's key as the Management API returns it: metadata only, without the public key. */
export const clientCredentialSchema = z
  .strictObject({
    id: z.string(),
    credential_type: z.literal("public_key"),
    name: name.exactOptional(),
    kid: z.string(),
    alg: algorithm,
    created_at: timestampSchema,
    updated_at: timestampSchema,
    expires_at: timestampSchema.exactOptional(),
  })
  .meta({ id: "ClientCredential" });

/** The body of `POST /api/v2/clients/{id}/credentials`, and a key in the body of a client. */
export const createClientCredentialSchema = z
  .strictObject({
    credential_type: z.literal("public_key", { error: "must be public_key: certificates for mutual TLS are not supported" }),
    name: name.exactOptional(),
    pem: z.string().min(1).max(16_384),
    alg: algorithm.exactOptional(),
    kid: z
      .string()
      .regex(/^[0-9a-zA-Z_-]{10,64}$/, "must be 10 to 64 letters, digits, - or _")
      .exactOptional(),
    expires_at: instant.exactOptional(),
    parse_expiry_from_cert: z.boolean().exactOptional(),
  })
  .meta({ id: "CreateClientCredential" });

/** The body of `PATCH /api/v2/clients/{id}/credentials/{credential_id}`. */
export const updateClientCredentialSchema = z
  .strictObject({ expires_at: instant.nullable().exactOptional() })
  .meta({ id: "UpdateClientCredential" });

/** A reference to a client's key by its ID, in the settings of a client and in responses. */
export const credentialReferenceSchema = z.strictObject({ id: z.string().min(1).max(64) });

/** The keys in the body of a client: new keys, or references to existing keys. */
export const credentialListSchema = z.array(z.union([credentialReferenceSchema, createClientCredentialSchema])).max(20);

export type StoredCredential = z.infer<typeof storedCredentialSchema>;
type CredentialList = z.infer<typeof credentialListSchema>;

/** The dependencies for creating a key. */
export interface CredentialMaker {
  /** Generates an id with the prefix `cred_`. */
  readonly newCredentialId: () => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Converts a stored key to the Management API format. */
export function toClientCredential({ pem: _pem, ...shown }: StoredCredential): z.infer<typeof clientCredentialSchema> {
  return shown;
}

/**
 * Creates a key. Its `kid` is its ID if the body has none.
 * @throws {PosternError} `invalid_request` if the key has already expired.
 */
export function fromCreateClientCredential(body: z.infer<typeof createClientCredentialSchema>, maker: CredentialMaker): StoredCredential {
  const { parse_expiry_from_cert: _, alg = "RS256", expires_at, ...rest } = body;
  const id = maker.newCredentialId();
  const now = toTimestamp(maker.now);
  return {
    id,
    kid: id,
    alg,
    ...rest,
    ...(expires_at !== undefined && { expires_at: laterThan(maker.now, expires_at) }),
    created_at: now,
    updated_at: now,
  };
}

/** Changes the expiry of a key; `null` removes it. */
export function fromUpdateClientCredential(
  credential: StoredCredential,
  body: z.infer<typeof updateClientCredentialSchema>,
  now: number,
): StoredCredential {
  if (body.expires_at === undefined) return credential;
  const { expires_at: _, ...rest } = credential;
  return { ...rest, ...(body.expires_at !== null && { expires_at: laterThan(now, body.expires_at) }), updated_at: toTimestamp(now) };
}

function laterThan(now: number, instantText: string): string {
  const value = Date.parse(instantText);
  if (value <= now) throw invalidBody("'expires_at' must be in the future");
  return toTimestamp(value);
}

/**
 * Applies the keys in a client's body.
 * @param existing every key of the client.
 * @returns every key of the client, including the new keys, and references to the keys in the body.
 * @throws {PosternError} `invalid_request` if an ID does not belong to a key of the client, or if a new key has a `kid`
 * that another key of the client already has.
 */
export function keepCredentials(
  list: CredentialList,
  existing: readonly StoredCredential[],
  maker: CredentialMaker,
): { readonly credentials: readonly StoredCredential[]; readonly references: { id: string }[] } {
  const credentials = [...existing];
  const references = list.map((entry) => {
    if (!("pem" in entry)) {
      if (!existing.some(({ id }) => id === entry.id))
        throw invalidBody(`'credentials' contains '${entry.id}', which is not a credential of this client`);
      return { id: entry.id };
    }
    const credential = fromCreateClientCredential(entry, maker);
    if (credentials.some(({ kid }) => kid === credential.kid)) throw invalidBody(`'credentials' repeats the kid '${credential.kid}'`);
    credentials.push(credential);
    return { id: credential.id };
  });
  return { credentials, references };
}
