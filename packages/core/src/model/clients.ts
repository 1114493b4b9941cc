import * as z from "zod";
import type { Row } from "../data/schema.ts";
import type { JsonObject } from "../data/value.ts";
import { keepCredentials, type CredentialMaker, type StoredCredential } from "./client-credentials.ts";
import {
  AuthenticationMethodsBody,
  changeRefreshToken,
  clearableSettings,
  ClientMetadataBody,
  ClientMetadataChange,
  composedSettings,
  defaultRefreshToken,
  isPublic,
  JwtConfigurationBody,
  OidcLogout,
  plainSettings,
  RefreshTokenBody,
  StoredSettings,
  TokenVaultBody,
} from "./client-settings.ts";
import { CallbackUrl, LogoutUrl, Origin } from "./registered-urls.ts";
import { mergeMetadata, mergeSettings, nullableFields } from "./settings.ts";

const applicationTypes = (
  "native spa regular_web non_interactive resource_server express_configuration rms box cloudbees concur dropbox mscrm echosign egnyte " +
  "newrelic office365 salesforce sentry sharepoint slack springcm zendesk zoom sso_integration oag"
).split(" ");

export type { StoredCredential } from "./client-credentials.ts";

/** What has a column of its own and is alike in bodies and in replies. */
const columns = {
  description: z.string().max(140),
  app_type: z.enum(applicationTypes),
  is_first_party: z.boolean(),
  grant_types: z.array(z.string().min(1).max(255)),
  callbacks: z.array(CallbackUrl),
  allowed_logout_urls: z.array(LogoutUrl),
  web_origins: z.array(Origin),
  allowed_origins: z.array(Origin),
};

const name = z
  .string()
  .max(255)
  .regex(/^[^<>]+$/, "must not be empty or contain < or >");
const authenticationMethod = z.enum(["none", "client_secret_post", "client_secret_basic"]);
const organizationUsage = z.enum(["deny", "allow", "require"]);

/** An application as the Management API shows it, without its secret. */
export const Client = z
  .strictObject({
    client_id: z.string(),
    tenant: z.string(),
    global: z.boolean(),
    name: z.string(),
    ...columns,
    organization_usage: organizationUsage,
    ...z
      .object({
        description: columns.description,
        app_type: columns.app_type,
        token_endpoint_auth_method: authenticationMethod,
        ...plainSettings,
        ...clearableSettings,
        ...composedSettings,
      })
      .exactPartial().shape,
  })
  .meta({ id: "Client" });

/** The same with its secret: the reply to its creation and to a rotation of the secret, and no other. */
export const ClientWithSecret = Client.extend({ client_secret: z.string().exactOptional() }).meta({ id: "ClientWithSecret" });

const body = z
  .strictObject({
    ...columns,
    ...plainSettings,
    ...nullableFields(clearableSettings),
    jwt_configuration: JwtConfigurationBody,
    refresh_token: RefreshTokenBody.nullable(),
    token_vault_privileged_access: TokenVaultBody,
    // The older name of oidc_logout.
    oidc_backchannel_logout: OidcLogout,
  })
  .exactPartial();

/** A client authenticates in one way. */
function inOneWay(
  value: { token_endpoint_auth_method?: string | null; client_authentication_methods?: object | null },
  context: z.RefinementCtx,
) {
  if (value.token_endpoint_auth_method && value.client_authentication_methods) {
    context.addIssue({
      code: "custom",
      path: ["token_endpoint_auth_method"],
      message: "must not be given together with client_authentication_methods",
    });
  }
}

/** The body of `POST /api/v2/clients`. */
export const CreateClient = body
  .extend({
    name,
    client_metadata: ClientMetadataBody.exactOptional(),
    token_endpoint_auth_method: authenticationMethod.exactOptional(),
    client_authentication_methods: AuthenticationMethodsBody.exactOptional(),
    organization_usage: organizationUsage.exactOptional(),
    resource_server_identifier: composedSettings.resource_server_identifier.exactOptional(),
  })
  .superRefine(inOneWay)
  .meta({ id: "CreateClient" });

/**
 * The body of `PATCH /api/v2/clients/{id}`. `null` takes a setting away.
 * `jwt_configuration`, `refresh_token` and `client_metadata` are merged at their first level, everything else is replaced.
 */
export const UpdateClient = body
  .extend({
    name: name.exactOptional(),
    client_secret: z.string().min(1).max(1024).exactOptional(),
    client_metadata: ClientMetadataChange.exactOptional(),
    token_endpoint_auth_method: authenticationMethod.nullable().exactOptional(),
    client_authentication_methods: AuthenticationMethodsBody.nullable().exactOptional(),
    organization_usage: organizationUsage.nullable().exactOptional(),
  })
  .superRefine(inOneWay)
  .meta({ id: "UpdateClient" });

export type Client = z.infer<typeof Client>;
export type ClientWithSecret = z.infer<typeof ClientWithSecret>;
export type CreateClient = z.infer<typeof CreateClient>;
export type UpdateClient = z.infer<typeof UpdateClient>;

/** What holds where a caller said nothing. Written into the record on creation, so that an upgrade with other defaults changes no existing client. */
const defaults = {
  // Every client speaks OpenID Connect here: there is no other dialect that the vendor's `false` could stand for.
  oidc_conformant: true,
  sso_disabled: false,
  cross_origin_authentication: false,
  custom_login_page_on: true,
  is_token_endpoint_ip_header_trusted: false,
  jwt_configuration: { alg: "RS256", lifetime_in_seconds: 36_000, secret_encoded: false },
} as const satisfies StoredSettings;

type Certain = keyof typeof defaults | "refresh_token" | "credentials";

/** The settings of a client, defaults filled in. `client_authentication_methods` holds the keys themselves, `credentials` every key of the client. */
export type ClientSettings = Omit<StoredSettings, Certain | "client_authentication_methods"> &
  Required<Pick<StoredSettings, Certain>> & {
    client_authentication_methods?: { private_key_jwt: { credentials: StoredCredential[] } };
  };

/** Reads the settings of a record. */
export function clientSettings(row: Row<"clients">): ClientSettings {
  const { client_authentication_methods: methods, credentials = [], ...stored } = StoredSettings.parse(row.settings);
  const ids = methods?.private_key_jwt.credentials.map(({ id }) => id);
  return {
    ...defaults,
    refresh_token: defaultRefreshToken(row.app_type),
    ...stored,
    credentials,
    ...(ids && { client_authentication_methods: { private_key_jwt: { credentials: credentials.filter(({ id }) => ids.includes(id)) } } }),
  };
}

/** A record as the Management API shows it. */
export function toClient(row: Row<"clients">, tenant: string): Client {
  const { credentials: _keys, client_authentication_methods: methods, ...settings } = clientSettings(row);
  const method = authenticationMethod.safeParse(row.token_endpoint_auth_method).data;
  return {
    client_id: row.client_id,
    tenant,
    global: false,
    name: row.name,
    ...(row.description !== "" && { description: row.description }),
    ...(row.app_type !== "" && { app_type: row.app_type }),
    is_first_party: row.is_first_party,
    ...(method && { token_endpoint_auth_method: method }),
    ...(methods && {
      client_authentication_methods: { private_key_jwt: { credentials: methods.private_key_jwt.credentials.map(({ id }) => ({ id })) } },
    }),
    grant_types: [...row.grant_types],
    callbacks: [...row.callbacks],
    allowed_logout_urls: [...row.allowed_logout_urls],
    web_origins: [...row.web_origins],
    allowed_origins: [...row.allowed_origins],
    organization_usage: organizationUsage.parse(row.organization_usage),
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
  readonly organization_usage: string;
  readonly settings: JsonObject;
}

/** The columns of a new client that come from the caller; `connections` null: all of the tenant's. */
export interface NewClient extends ClientChange {
  readonly connections: null;
}

/** The fields of a new record that come from the caller. A secret is the host's to make: `token_endpoint_auth_method` says whether one is needed. */
export function fromCreateClient(sent: CreateClient, maker: CredentialMaker): NewClient {
  const { app_type = "" } = sent;
  const blank = {
    name: sent.name,
    description: "",
    app_type,
    is_first_party: true,
    token_endpoint_auth_method: defaultMethod(app_type),
    grant_types: defaultGrantTypes(app_type),
    callbacks: [],
    allowed_logout_urls: [],
    web_origins: [],
    allowed_origins: [],
    organization_usage: "deny",
    settings: { ...defaults, refresh_token: defaultRefreshToken(app_type) },
  };
  return { ...applyBody(blank, sent, maker), connections: null };
}

/** The fields of a record that a change touches; what was not sent stays as it is. A new `client_secret` is the host's to hash. */
export function fromUpdateClient(row: Row<"clients">, sent: UpdateClient, maker: CredentialMaker): ClientChange {
  return applyBody(row, sent, maker);
}

function applyBody(row: ClientChange, sent: UpdateClient & { resource_server_identifier?: string }, maker: CredentialMaker): ClientChange {
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
  const { token_endpoint_auth_method: method, client_authentication_methods: methods, client_secret: _hashedElsewhere, ...composed } = rest;
  const {
    jwt_configuration,
    refresh_token,
    client_metadata,
    token_vault_privileged_access: vault,
    oidc_backchannel_logout,
    ...plain
  } = composed;
  const stored = StoredSettings.parse(row.settings);
  const storedRefreshToken = stored.refresh_token ?? defaultRefreshToken(app_type);
  return {
    name: newName,
    description,
    app_type,
    is_first_party,
    token_endpoint_auth_method: changeMethod(row.token_endpoint_auth_method, method, methods, app_type),
    grant_types,
    callbacks,
    allowed_logout_urls,
    web_origins,
    allowed_origins,
    organization_usage: organization_usage ?? "deny",
    settings: mergeSettings(row.settings, {
      ...(oidc_backchannel_logout && { oidc_logout: oidc_backchannel_logout }),
      ...plain,
      ...(jwt_configuration && { jwt_configuration: { ...defaults.jwt_configuration, ...stored.jwt_configuration, ...jwt_configuration } }),
      ...(refresh_token && { refresh_token: changeRefreshToken(storedRefreshToken, refresh_token) }),
      ...(refresh_token === null && { refresh_token: defaultRefreshToken(app_type) }),
      ...(client_metadata && { client_metadata: mergeMetadata("client_metadata", stored.client_metadata ?? {}, client_metadata) }),
      // Whoever sets another method drops the keys' use, not the keys.
      ...((methods === null || (methods === undefined && method)) && { client_authentication_methods: null }),
      ...credentialSettings(stored.credentials ?? [], methods?.private_key_jwt, vault, maker),
    }),
  };
}

type CredentialLists = { readonly credentials: Parameters<typeof keepCredentials>[0] };

/** What a body says of a client's keys, as settings. */
function credentialSettings(
  stored: readonly StoredCredential[],
  assertions: CredentialLists | undefined,
  vault: (CredentialLists & JsonObject) | undefined,
  maker: CredentialMaker,
): JsonObject {
  const forAssertions = keepCredentials(assertions?.credentials ?? [], stored, maker);
  const forVault = keepCredentials(vault?.credentials ?? [], forAssertions.credentials, maker);
  return {
    ...((assertions ?? vault) && { credentials: forVault.credentials }),
    ...(assertions && { client_authentication_methods: { private_key_jwt: { credentials: forAssertions.references } } }),
    ...(vault && { token_vault_privileged_access: { ...vault, credentials: forVault.references } }),
  };
}

/** The method after a change. Whatever is named last holds, alone: a key, or a secret, or nothing; `null` alone means what the type of application has by default. */
function changeMethod(stored: string, sent: string | null | undefined, methods: object | null | undefined, appType: string): string {
  if (methods) return "private_key_jwt";
  if (sent) return sent;
  if (stored === "private_key_jwt") return methods === null ? defaultMethod(appType) : stored;
  return sent === null ? defaultMethod(appType) : stored;
}

/** A client with other keys: what `POST`, `PATCH` and `DELETE` of `/clients/{id}/credentials` store. A key that is gone is used nowhere any more. */
export function withCredentials(row: Row<"clients">, credentials: readonly StoredCredential[]): JsonObject {
  const { client_authentication_methods: methods, token_vault_privileged_access: vault } = StoredSettings.parse(row.settings);
  const kept = (list: readonly { id: string }[]) => list.filter(({ id }) => credentials.some((credential) => credential.id === id));
  return {
    ...row.settings,
    credentials,
    ...(methods && { client_authentication_methods: { private_key_jwt: { credentials: kept(methods.private_key_jwt.credentials) } } }),
    ...(vault && { token_vault_privileged_access: { ...vault, credentials: kept(vault.credentials) } }),
  };
}

function defaultMethod(appType: string): string {
  return isPublic(appType) ? "none" : "client_secret_post";
}

function defaultGrantTypes(appType: string): readonly string[] {
  const forUsers = ["authorization_code", "implicit", "refresh_token"];
  if (appType === "non_interactive") return ["client_credentials"];
  return isPublic(appType) ? forUsers : [...forUsers, "client_credentials"];
}
