import type * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import {
  clientAuthenticationMethodSchema,
  externalMetadataCreatorSchema,
  externalMetadataTypeSchema,
  organizationUsageSchema,
  type clientSchema,
  type createClientSchema,
  type updateClientSchema,
} from "./bodies.ts";
import { keepCredentials, type CredentialMaker, type StoredCredential } from "./credentials.ts";
import { allClientSettings, newClientSettings, storedClientSettingsSchema } from "./all-settings.ts";
import type { GrantType } from "./grant-types.ts";
import { defaultJwtConfiguration, storedRefreshToken, type JwtConfiguration } from "./settings.ts";
import { changeRefreshToken, defaultRefreshToken, isPublic } from "./refresh-token-settings.ts";
import { levelProblem } from "./client-demands.ts";
import { externalSettings, notExternal } from "./external.ts";
import { isExposedHttp } from "./registered-urls.ts";
import { invalidBody, mergeMetadata, mergeSettings, readStored } from "../settings.ts";

/** Converts a row to the Management API format. */
export function toClient(row: Row<"clients">, tenant: string): z.infer<typeof clientSchema> {
  const { jwks_uri } = externalSettings(row.settings);
  const {
    credentials: _keys,
    client_authentication_methods: methods,
    signed_request_object: objects,
    ...settings
  } = allClientSettings(row);
  const references = (list: readonly StoredCredential[]) => list.map(({ id }) => ({ id }));
  const method = clientAuthenticationMethodSchema.safeParse(row.token_endpoint_auth_method).data;
  return {
    client_id: row.client_id,
    tenant,
    global: false,
    name: row.name,
    ...(row.description !== "" && { description: row.description }),
    ...(row.app_type !== "" && { app_type: row.app_type }),
    ...(row.external_client_id !== null && { external_client_id: row.external_client_id }),
    ...(jwks_uri !== undefined && { jwks_uri }),
    ...(row.external_metadata_type !== null && { external_metadata_type: externalMetadataTypeSchema.parse(row.external_metadata_type) }),
    ...(row.external_metadata_created_by !== null && {
      external_metadata_created_by: externalMetadataCreatorSchema.parse(row.external_metadata_created_by),
    }),
    ...(row.blocked_at !== null && { blocked: true }),
    is_first_party: row.is_first_party,
    ...(method && methods === undefined && { token_endpoint_auth_method: method }),
    ...(methods && {
      client_authentication_methods: { private_key_jwt: { credentials: references(methods.private_key_jwt.credentials) } },
    }),
    ...(objects && {
      signed_request_object: { ...objects, ...(objects.credentials && { credentials: references(objects.credentials) }) },
    }),
    grant_types: [...row.grant_types],
    callbacks: [...row.callbacks],
    allowed_logout_urls: [...row.allowed_logout_urls],
    web_origins: [...row.web_origins],
    allowed_origins: [...row.allowed_origins],
    ...(row.organization_usage !== null && { organization_usage: organizationUsageSchema.parse(row.organization_usage) }),
    ...settings,
  };
}

/** The columns of a client that a caller may change. */
export interface ClientChange {
  readonly name: string;
  readonly description: string;
  readonly app_type: string;
  readonly is_first_party: boolean;
  readonly token_endpoint_auth_method: string;
  readonly grant_types: readonly string[];
  readonly callbacks: readonly string[];
  readonly allowed_logout_urls: readonly string[];
  readonly web_origins: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly organization_usage: string | null;
  readonly settings: JsonObject;
}

/** The caller-provided columns of a new client. `connections: null` enables all connections of the tenant. */
type NewClient = ClientChange & typeof notExternal & { readonly connections: null };

/** The dependencies for creating a client. */
export interface ClientMaker extends CredentialMaker {
  /**
   * The issuer for which the client is registered. If the issuer uses plain http (local development), callbacks may
   * also use plain http.
   */
  readonly issuer: string;
  /** The configured default algorithm for a client's tokens. */
  readonly signingAlgorithm: JwtConfiguration["alg"];
}

/**
 * Returns the columns of a new row that the body sets. The caller of this function generates the secret;
 * `token_endpoint_auth_method` determines whether a secret is required.
 */
export function fromCreateClient(sent: z.infer<typeof createClientSchema>, maker: ClientMaker): NewClient {
  const { app_type = "", token_endpoint_auth_method: sentMethod, client_authentication_methods: methods } = sent;
  const method = changeMethod(defaultMethod(app_type), sentMethod, methods, app_type);
  const blank = {
    name: sent.name,
    description: "",
    app_type,
    is_first_party: true,
    token_endpoint_auth_method: method,
    grant_types: defaultGrantTypes(app_type, method),
    callbacks: [],
    allowed_logout_urls: [],
    web_origins: [],
    allowed_origins: [],
    organization_usage: null,
    settings: newClientSettings({ token_endpoint_auth_method: method, app_type }, maker.signingAlgorithm),
  };
  return { ...applyBody(blank, sent, maker), ...notExternal, connections: null };
}

/**
 * Returns the columns that an update changes. Omitted fields stay unchanged. The caller of this function hashes a new
 * `client_secret`.
 */
export function fromUpdateClient(row: Row<"clients">, sent: z.infer<typeof updateClientSchema>, maker: ClientMaker): ClientChange {
  return applyBody(row, sent, maker);
}

function applyBody(
  row: ClientChange,
  sent: z.infer<typeof updateClientSchema> & { resource_server_identifier?: string },
  maker: ClientMaker,
): ClientChange {
  const {
    name: newName = row.name,
    description = row.description,
    app_type = row.app_type,
    is_first_party = row.is_first_party,
    ...more
  } = sent;
  const { grant_types = row.grant_types, callbacks = row.callbacks, allowed_logout_urls = row.allowed_logout_urls, ...lists } = more;
  const {
    web_origins = row.web_origins,
    allowed_origins = row.allowed_origins,
    organization_usage = row.organization_usage,
    ...rest
  } = lists;
  const {
    token_endpoint_auth_method: method,
    client_authentication_methods: methods,
    client_secret: _hashedElsewhere,
    blocked: _column,
    ...composed
  } = rest;
  const {
    jwt_configuration,
    refresh_token,
    client_metadata,
    token_vault_privileged_access: vault,
    signed_request_object: objects,
    oidc_backchannel_logout,
    ...plain
  } = composed;
  checkCallbacks(callbacks, row.callbacks, maker.issuer);
  const stored = readStored(storedClientSettingsSchema, row.settings);
  const holder = { token_endpoint_auth_method: changeMethod(row.token_endpoint_auth_method, method, methods, app_type), app_type };
  return {
    name: newName,
    description,
    app_type,
    is_first_party,
    token_endpoint_auth_method: holder.token_endpoint_auth_method,
    grant_types,
    callbacks,
    allowed_logout_urls,
    web_origins,
    allowed_origins,
    organization_usage,
    settings: checked(
      holder.token_endpoint_auth_method,
      mergeSettings(row.settings, {
        ...(oidc_backchannel_logout && { oidc_logout: oidc_backchannel_logout }),
        ...plain,
        ...(jwt_configuration && {
          jwt_configuration: { ...defaultJwtConfiguration, ...stored.jwt_configuration, ...jwt_configuration },
        }),
        ...(refresh_token && {
          refresh_token: changeRefreshToken(storedRefreshToken({ ...holder, settings: row.settings }), refresh_token),
        }),
        ...(refresh_token === null && { refresh_token: defaultRefreshToken(holder) }),
        ...(client_metadata && { client_metadata: mergeMetadata("client_metadata", stored.client_metadata ?? {}, client_metadata) }),
        // If another method replaces the keys, the client can no longer authenticate with them, but they stay stored.
        ...((methods === null || (methods === undefined && method)) && { client_authentication_methods: null }),
        ...(plain.jwks_uri && { jwks: null }),
        ...credentialSettings(stored.credentials ?? [], { assertions: methods?.private_key_jwt, objects, vault }, maker),
      }),
    ),
  };
}

/**
 * Requires that the settings fit together: keys for `private_key_jwt`, and what the compliance level requires.
 * @throws {PosternError} `invalid_request`.
 */
function checked(method: string, settings: JsonObject): JsonObject {
  const { jwks, jwks_uri: uri } = externalSettings(settings);
  const parsed = readStored(storedClientSettingsSchema, settings);
  if (method === "private_key_jwt" && parsed.client_authentication_methods === undefined && (jwks ?? uri) === undefined)
    throw invalidBody("'token_endpoint_auth_method': private_key_jwt requires 'jwks_uri' or 'client_authentication_methods'");
  const { client_authentication_methods: methods, signed_request_object: objects } = parsed;
  const otherKeys = methods !== undefined || (jwks ?? uri) !== undefined;
  const hasKeys = objects?.credentials === undefined ? otherKeys : objects.credentials.length > 0;
  if (objects?.required === true && !hasKeys) throw invalidBody("'signed_request_object': required needs 'credentials' or 'jwks_uri'");
  const problem = levelProblem(method, parsed);
  if (problem !== undefined) throw invalidBody(problem);
  return settings;
}

type CredentialList = Parameters<typeof keepCredentials>[0];
type CredentialLists = { readonly credentials: CredentialList };

/** The settings in a body that contain keys. */
interface SettingsWithKeys {
  readonly assertions: CredentialLists | undefined;
  readonly objects: { readonly required?: boolean; readonly credentials?: CredentialList } | undefined;
  readonly vault: (CredentialLists & JsonObject) | undefined;
}

/** Returns the settings that change because of the keys in a body. */
function credentialSettings(
  stored: readonly StoredCredential[],
  { assertions, objects, vault }: SettingsWithKeys,
  maker: CredentialMaker,
): JsonObject {
  const forAssertions = keepCredentials(assertions?.credentials ?? [], stored, maker);
  const forObjects = keepCredentials(objects?.credentials ?? [], forAssertions.credentials, maker);
  const forVault = keepCredentials(vault?.credentials ?? [], forObjects.credentials, maker);
  return {
    ...((assertions ?? objects ?? vault) && { credentials: forVault.credentials }),
    ...(objects && { signed_request_object: { ...objects, ...(objects.credentials && { credentials: forObjects.references }) } }),
    ...(assertions && { client_authentication_methods: { private_key_jwt: { credentials: forAssertions.references } } }),
    ...(vault && { token_vault_privileged_access: { ...vault, credentials: forVault.references } }),
  };
}

/**
 * Returns the authentication method after an update. The method in the body (keys, a secret or none) replaces the
 * previous method. `null` without another method selects the default for the application type.
 */
function changeMethod(stored: string, sent: string | null | undefined, methods: object | null | undefined, appType: string): string {
  if (methods) return "private_key_jwt";
  if (sent) return sent;
  if (stored === "private_key_jwt") return methods === null ? defaultMethod(appType) : stored;
  return sent === null ? defaultMethod(appType) : stored;
}

/**
 * Returns the settings of a client after its keys change through `POST`, `PATCH` or `DELETE` of
 * `/clients/{id}/credentials`. References to a deleted key are removed.
 * @throws {PosternError} `conflict` if no key remains for request objects that the client must sign.
 */
export function withCredentials(row: Row<"clients">, credentials: readonly StoredCredential[]): JsonObject {
  const {
    client_authentication_methods: methods,
    signed_request_object: objects,
    token_vault_privileged_access: vault,
  } = readStored(storedClientSettingsSchema, row.settings);
  const kept = (list: readonly { id: string }[]) => list.filter(({ id }) => credentials.some((credential) => credential.id === id));
  const objectKeys = objects?.credentials && kept(objects.credentials);
  if (objects?.required === true && objectKeys?.length === 0)
    throw new PosternError("conflict", "the client must sign its requests, and this is its last key in 'signed_request_object'");
  return {
    ...row.settings,
    credentials,
    ...(methods && { client_authentication_methods: { private_key_jwt: { credentials: kept(methods.private_key_jwt.credentials) } } }),
    ...(objectKeys && { signed_request_object: { ...objects, credentials: objectKeys } }),
    ...(vault && { token_vault_privileged_access: { ...vault, credentials: kept(vault.credentials) } }),
  };
}

/**
 * Rejects new callbacks on plain http, because anyone on the network path can read a code that is sent to them (RFC
 * 9700 section 2.6). Callbacks that the client already had are allowed, because Auth0's tools write back what they
 * read.
 * @throws {PosternError} `invalid_request` that names the first callback that is not allowed.
 */
function checkCallbacks(callbacks: readonly string[], before: readonly string[], issuer: string): void {
  if (issuer.startsWith("http:")) return;
  const exposed = callbacks.find((callback) => isExposedHttp(callback) && !before.includes(callback));
  if (exposed === undefined) return;
  throw invalidBody(`'callbacks': '${exposed}' must be https: plain http is allowed only for localhost and other loopback addresses`);
}

/**
 * Returns the default authentication method. It is `none` for applications that cannot keep a secret confidential
 * (`spa`, `native`).
 */
function defaultMethod(appType: string): string {
  return appType === "spa" || appType === "native" ? "none" : "client_secret_post";
}

/**
 * Returns the default grant types. They do not include `implicit`: tokens in URLs must be enabled explicitly (RFC 9700
 * section 2.1.2).
 */
function defaultGrantTypes(appType: string, method: string): readonly GrantType[] {
  const forUsers: readonly GrantType[] = ["authorization_code", "refresh_token"];
  if (appType === "non_interactive") return ["client_credentials"];
  return isPublic(method) || isPublic(defaultMethod(appType)) ? forUsers : [...forUsers, "client_credentials"];
}
