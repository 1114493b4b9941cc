import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { signingAlgorithms, unsupportedAlgorithm } from "../keys/algorithms.ts";
import { fact, invalidBody, mergeMetadata, readStored } from "../settings.ts";
import { sharedMetadataSchema, sharedMetadataChangeSchema } from "./shared.ts";

/** A scope token (RFC 6749 section 3.3). */
const scopeValueSchema = z
  .string()
  .max(280)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be 1 to 280 ASCII characters without spaces, quotes and backslashes");

const apiScopeSchema = z.strictObject({ value: scopeValueSchema, description: z.string().max(500).exactOptional() });

/** Maximum lifetime of access tokens, in seconds. */
export const maximumTokenLifetime = 2_592_000;

const lifetime = z.int().min(0).max(maximumTokenLifetime).meta({ description: "Seconds" });

const settings = {
  scopes: z.array(apiScopeSchema).max(1000),
  signing_alg: z.enum(signingAlgorithms, { error: unsupportedAlgorithm }),
  allow_offline_access: z.boolean(),
  skip_consent_for_verifiable_first_party_clients: z.boolean(),
  token_lifetime: lifetime,
  token_lifetime_for_web: lifetime,
  enforce_policies: z.boolean(),
  token_dialect: z.enum(["access_token", "access_token_authz", "rfc9068_profile", "rfc9068_profile_authz"]),
  subject_type_authorization: z.strictObject({
    user: z.strictObject({ policy: z.enum(["allow_all", "deny_all", "require_client_grant"]) }).exactOptional(),
    client: z.strictObject({ policy: z.enum(["deny_all", "require_client_grant"]) }).exactOptional(),
  }),
};

const proofOfPossession = z
  .strictObject({
    mechanism: z.literal("dpop", { error: "must be dpop: mutual TLS is not supported" }),
    required: z.boolean().meta({ description: "Whether the API gets only tokens that are bound to a key of the client (RFC 9449)" }),
    required_for: z.enum(["public_clients", "all_clients"]).exactOptional().meta({
      description: "The clients whose tokens must be bound, if `required` is true. Default: `all_clients`",
    }),
  })
  .nullable();

/**
 * Auth0 settings that Postern does not implement and that must be off. If they were only stored, each would promise a
 * protection that tokens do not have.
 */
const unsupported = {
  signing_secret: z.never({ error: "is not supported: tokens are signed with the tenant's keys" }),
  allow_online_access: off("refresh tokens for online access"),
  allow_online_access_with_ephemeral_sessions: off("refresh tokens for online access"),
  token_encryption: none("the encryption of access tokens"),
  consent_policy: none("consent for single transactions"),
  authorization_details: none("authorization details (RFC 9396)"),
  authorization_policy: none("the authorization policy"),
};

function off(what: string) {
  return z.literal(false, { error: `must be false: ${what} are not supported` });
}

function none(what: string) {
  return z.null({ error: `must be null: ${what} is not supported` });
}

const name = z
  .string()
  .max(200)
  .regex(/^[^<>]+$/, "must not be empty or contain < or >");

/** The identifier of an API: its `aud` in tokens and its `audience` in requests. */
export const apiIdentifierSchema = z.string().min(1).max(600);

/** The identifier of a new API. `GET /api/v2/resource-servers/search` is a search, so no API can have this identifier. */
const newIdentifierSchema = apiIdentifierSchema.refine((text) => text !== "search", "must not be 'search'");

/** An API as the Management API returns it. */
export const resourceServerSchema = z
  .strictObject({
    id: fact(z.string()),
    identifier: fact(z.string()),
    name: fact(z.string()),
    is_system: fact(z.boolean()),
    ...settings,
    scopes: settings.scopes.exactOptional(),
    subject_type_authorization: settings.subject_type_authorization.exactOptional(),
    proof_of_possession: proofOfPossession.exactOptional(),
    metadata: sharedMetadataSchema.exactOptional(),
  })
  .meta({ id: "ResourceServer" });

/**
 * The body of `PATCH /api/v2/resource-servers/{id}`. Omitted fields stay unchanged; in the metadata, `null` removes a
 * key.
 */
export const updateResourceServerSchema = z
  .strictObject({ name, ...settings, proof_of_possession: proofOfPossession, metadata: sharedMetadataChangeSchema, ...unsupported })
  .exactPartial()
  .meta({ id: "UpdateResourceServer" });

/** The body of `POST /api/v2/resource-servers`. */
export const createResourceServerSchema = updateResourceServerSchema
  .extend({ identifier: newIdentifierSchema })
  .meta({ id: "CreateResourceServer" });

/** The stored settings: the fields that have no column. */
const storedSettingsSchema = z
  .object({ ...settings, proof_of_possession: proofOfPossession, metadata: sharedMetadataSchema })
  .exactPartial();

/**
 * Defaults for fields that the caller omits. They are stored when the API is created, so that an upgrade with other
 * defaults does not change existing APIs.
 */
const defaults = {
  signing_alg: "RS256",
  allow_offline_access: false,
  skip_consent_for_verifiable_first_party_clients: true,
  token_lifetime: 86_400,
  token_lifetime_for_web: 7_200,
  enforce_policies: false,
  token_dialect: "access_token",
} as const satisfies z.infer<typeof storedSettingsSchema>;

/** The settings of an API, including defaults. */
export type ResourceServerSettings = Omit<z.infer<typeof resourceServerSchema>, "id" | "identifier" | "name" | "is_system">;

/** Reads the settings from a row. */
export function resourceServerSettings(row: Row<"resource_servers">): ResourceServerSettings {
  return { ...defaults, ...readStored(storedSettingsSchema, row.settings) };
}

/** Converts a row to the Management API format. */
export function toResourceServer(row: Row<"resource_servers">): z.infer<typeof resourceServerSchema> {
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    is_system: row.is_system || row.origin !== null,
    ...resourceServerSettings(row),
  };
}

/**
 * Returns the columns of a new row that the caller sets.
 * @param alg the configured default algorithm, for an API whose body does not contain one.
 */
export function fromCreateResourceServer(
  body: z.infer<typeof createResourceServerSchema>,
  alg: ResourceServerSettings["signing_alg"],
): { identifier: string; name: string; settings: JsonObject } {
  // An identifier may be longer than a name.
  const { identifier: given, name: givenName = given.slice(0, 200), ...rest } = body;
  return { identifier: given, name: givenName, settings: changeSettings({ ...defaults, signing_alg: alg }, rest) };
}

/** Returns the columns that an update changes. Omitted fields stay unchanged. */
export function fromUpdateResourceServer(
  row: Row<"resource_servers">,
  body: z.infer<typeof updateResourceServerSchema>,
): { name: string; settings: JsonObject } {
  const { name: changed = row.name, ...rest } = body;
  return { name: changed, settings: changeSettings({ ...defaults, ...row.settings }, rest) };
}

/**
 * Returns the settings after an update. Tokens that are issued through a browser must not live longer than other
 * tokens, so a shorter `token_lifetime` also lowers `token_lifetime_for_web`.
 * @throws {PosternError} `invalid_request` if the body contains a `token_lifetime_for_web` that is longer than
 * `token_lifetime`.
 */
function changeSettings(
  before: JsonObject,
  { metadata: change, ...body }: Omit<z.infer<typeof updateResourceServerSchema>, "name">,
): JsonObject {
  const sent = readStored(storedSettingsSchema, body);
  const known = readStored(storedSettingsSchema, before);
  const { token_lifetime: lifetime, token_lifetime_for_web: forWeb } = { ...defaults, ...known, ...sent };
  if (sent.token_lifetime_for_web !== undefined && forWeb > lifetime)
    throw invalidBody("'token_lifetime_for_web' must not be more than 'token_lifetime'");
  const metadata = change && { metadata: mergeMetadata("metadata", known.metadata ?? {}, change) };
  return { ...before, ...sent, ...metadata, token_lifetime: lifetime, token_lifetime_for_web: Math.min(forWeb, lifetime) };
}
