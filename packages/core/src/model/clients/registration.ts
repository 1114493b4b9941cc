import * as z from "zod";
import { PosternError, type ErrorCode } from "../../errors.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { describeIssue, issueText } from "../issue-text.ts";
import { readStored } from "../settings.ts";
import { jwtConfigurationSchema, userinfoAlgorithmSchema, type JwtConfiguration } from "./settings.ts";
import { newClientSettings } from "./all-settings.ts";
import { externalSettings, notExternal } from "./external.ts";
import { callbackUrlSchema, isExposedHttp, limitedUrls } from "./registered-urls.ts";

const url = z.url({ protocol: /^https$/ }).max(2048);
const shortText = z.string().max(255);

/**
 * Characters that a client name must not contain. Users see the name on the consent page: characters that change the
 * direction of text or begin a line could make it look like another name or like a text of the page.
 */
const misleading = /[<>\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const misleadingName = "must not contain <, >, control characters or characters that change the direction of text";

/** The maximum length of a client's keys, in characters of JSON. Each process caches the clients that it serves. */
const maximumKeysLength = 12 * 1024;

/**
 * Client metadata (RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section 2). Clients send it when
 * they register themselves, and publish it in their metadata documents. Members that are not listed here are ignored.
 */
export const registrationSchema = z
  .object({
    redirect_uris: limitedUrls(z.array(callbackUrlSchema)).min(1),
    token_endpoint_auth_method: z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]).exactOptional(),
    // OpenID Connect Relying Party Metadata Choices 1.0: the methods that the client supports.
    token_endpoint_auth_methods_supported: z.array(z.string()).exactOptional(),
    grant_types: z.array(shortText).max(20).exactOptional(),
    response_types: z.array(shortText).max(20).exactOptional(),
    application_type: z.enum(["web", "native"]).exactOptional(),
    client_name: shortText.refine((name) => !misleading.test(name), misleadingName).exactOptional(),
    client_uri: url.exactOptional(),
    logo_uri: url.exactOptional(),
    tos_uri: url.exactOptional(),
    initiate_login_uri: url.exactOptional(),
    policy_uri: url.exactOptional(),
    // Algorithms that are not allowed are replaced by the default (RFC 7591 section 2).
    id_token_signed_response_alg: shortText.exactOptional(),
    userinfo_signed_response_alg: shortText.exactOptional(),
    scope: z.string().max(2048).exactOptional(),
    contacts: z.array(shortText).max(10).exactOptional(),
    software_id: shortText.exactOptional(),
    software_version: shortText.exactOptional(),
    jwks_uri: url.exactOptional(),
    jwks: z
      .object({
        keys: z
          .array(z.looseObject({ kty: z.string() }))
          .min(1)
          .max(20)
          .refine((keys) => JSON.stringify(keys).length <= maximumKeysLength, `must have at most ${maximumKeysLength} characters in total`),
      })
      .exactOptional(),
    software_statement: z.never({ error: "is not supported" }).exactOptional(),
  })
  .meta({ id: "ClientRegistration" });

type ClientMetadata = z.infer<typeof registrationSchema>;

/** The grant types that a client can register. The others in its metadata are ignored. */
const registrableGrantTypes = ["authorization_code", "refresh_token"];

/** Members that have no effect. They are stored, because the client reads them back. */
const informational = [
  "client_uri",
  "logo_uri",
  "tos_uri",
  "policy_uri",
  "initiate_login_uri",
  "scope",
  "contacts",
  "software_id",
  "software_version",
] as const;

/** The columns of a client that its metadata sets. */
export type RegistrationColumns = Pick<
  Row<"clients">,
  "name" | "app_type" | "token_endpoint_auth_method" | "grant_types" | "callbacks" | "settings"
>;

/** A client's metadata document, as it was read. */
export interface ClientDocument {
  readonly columns: RegistrationColumns;
  /** The SHA-256 hash of the columns. */
  readonly hash: string;
}

/** The defaults for members that the metadata of a client omits. */
export interface RegistrationContext {
  /** The name of a client whose metadata contains none. */
  readonly defaultName: string;
  /** The authentication method of a client whose metadata contains none. RFC 7591 section 2: `client_secret_basic`. */
  readonly defaultMethod: "none" | "client_secret_basic";
  /** The algorithm of a client whose metadata contains none, or one that is not allowed. */
  readonly signingAlgorithm: JwtConfiguration["alg"];
  /**
   * The algorithms that the client may choose, in addition to `signingAlgorithm`. A client must not choose others,
   * because the first token of an algorithm creates a key.
   */
  readonly allowedAlgorithms: readonly JwtConfiguration["alg"][];
}

/**
 * Reads the metadata of a client and returns the columns that it sets.
 * @throws {PosternError} `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 section 3.2.2), naming the
 * member.
 */
export function readRegistration(metadata: unknown, context: RegistrationContext): RegistrationColumns {
  const parsed = registrationSchema.safeParse(metadata, { reportInput: true, error: issueText });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const code: ErrorCode = issue?.path[0] === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new PosternError(code, issue === undefined ? "the metadata is not valid" : describeIssue(issue));
  }
  const { data } = parsed;
  checkRedirectUris(data.redirect_uris);
  const method = authenticationMethod(data, context.defaultMethod);
  if (method === "private_key_jwt" && data.jwks === undefined && data.jwks_uri === undefined)
    throw invalidMetadata("'private_key_jwt' requires 'jwks_uri' or 'jwks'");
  if (data.jwks !== undefined && data.jwks_uri !== undefined) throw invalidMetadata("'jwks' must not be combined with 'jwks_uri'");
  if (data.jwks?.keys.some(isSecretKey) === true) throw invalidMetadata("'jwks' must contain public keys only");
  const grantTypes = registrableGrantTypes.filter((type) => data.grant_types?.includes(type) ?? true);
  if (!grantTypes.includes("authorization_code")) throw invalidMetadata("'grant_types' must contain authorization_code");
  if (data.response_types?.includes("code") === false) throw invalidMetadata("'response_types' must contain code");
  const app_type = (data.application_type ?? impliedType(data.redirect_uris)) === "native" ? "native" : "regular_web";
  const { signingAlgorithm, allowedAlgorithms } = context;
  const allowed = (sent: string | undefined) => [signingAlgorithm, ...allowedAlgorithms].find((name) => name === sent);
  const alg = allowed(data.id_token_signed_response_alg) ?? signingAlgorithm;
  const userinfoAlg = allowed(data.userinfo_signed_response_alg);
  const settings = newClientSettings({ token_endpoint_auth_method: method, app_type }, alg);
  return {
    name: data.client_name === undefined || data.client_name.trim() === "" ? context.defaultName : data.client_name.trim(),
    app_type,
    token_endpoint_auth_method: method,
    grant_types: grantTypes,
    callbacks: data.redirect_uris,
    settings: {
      ...settings,
      // The refresh tokens of all third-party clients rotate, as in Auth0.
      refresh_token: newClientSettings({ token_endpoint_auth_method: "none", app_type }, alg).refresh_token,
      ...(userinfoAlg !== undefined && { userinfo_signed_response_alg: userinfoAlg }),
      ...(data.jwks_uri !== undefined && { jwks_uri: data.jwks_uri }),
      ...(data.jwks !== undefined && { jwks: { keys: data.jwks.keys.map(toJson) } }),
      registered: Object.fromEntries(informational.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]]))),
    },
  };
}

/** The stored settings from which a client reads back its algorithms. */
const algorithmsSchema = z
  .object({ jwt_configuration: jwtConfigurationSchema, userinfo_signed_response_alg: userinfoAlgorithmSchema })
  .exactPartial();

/** Returns a client's metadata as it reads it back (RFC 7591 section 3.2.1), without the members of its registration. */
export function toRegistration({ name, app_type, token_endpoint_auth_method, grant_types, callbacks, settings }: RegistrationColumns) {
  const { jwks, jwks_uri, registered } = externalSettings(settings);
  const { jwt_configuration: tokens, userinfo_signed_response_alg } = readStored(algorithmsSchema, settings);
  return {
    client_name: name,
    redirect_uris: [...callbacks],
    token_endpoint_auth_method,
    grant_types: [...grant_types],
    response_types: ["code"],
    application_type: app_type === "native" ? "native" : "web",
    ...(tokens !== undefined && { id_token_signed_response_alg: tokens.alg }),
    ...(userinfo_signed_response_alg !== undefined && { userinfo_signed_response_alg }),
    ...(jwks_uri !== undefined && { jwks_uri }),
    ...(jwks !== undefined && { jwks }),
    ...registered,
  };
}

/** Returns the columns of a new external client, except for its id, its secret and its registration. */
export function externalClient(columns: RegistrationColumns) {
  return {
    ...notExternal,
    ...columns,
    description: "",
    is_first_party: false,
    allowed_logout_urls: [],
    web_origins: [],
    allowed_origins: [],
    organization_usage: null,
    connections: null,
    may_administer: false,
  };
}

/**
 * Returns the columns of a client whose metadata is replaced. Settings that the metadata does not contain, such as the
 * lifetimes that an administrator set, stay unchanged.
 */
export function replaceRegistration(
  { settings: stored }: Pick<Row<"clients">, "settings">,
  columns: RegistrationColumns,
): RegistrationColumns {
  const ofMetadata = (settings: JsonObject, isOfMetadata: boolean) =>
    Object.entries(settings).filter(([name]) => metadataSettings.includes(name) === isOfMetadata);
  const { jwt_configuration: before } = readStored(algorithmsSchema, stored);
  const { jwt_configuration: after } = readStored(algorithmsSchema, columns.settings);
  const tokens = before && after && { jwt_configuration: { ...before, alg: after.alg } };
  return {
    ...columns,
    settings: { ...Object.fromEntries([...ofMetadata(stored, false), ...ofMetadata(columns.settings, true)]), ...tokens },
  };
}

/** The settings that come from the metadata alone. */
const metadataSettings = ["jwks_uri", "jwks", "registered", "userinfo_signed_response_alg"];

/** Whether a change to an external client invalidates earlier consents: it receives responses elsewhere, or its keys changed. */
export function needsNewConsent(before: RegistrationColumns, after: RegistrationColumns): boolean {
  const identity = ({ callbacks, token_endpoint_auth_method: method, settings }: RegistrationColumns) => {
    const { jwks, jwks_uri } = externalSettings(settings);
    const keys = jwks?.keys.map((key) => Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return JSON.stringify([[...callbacks].toSorted(), method, keys ?? null, jwks_uri ?? null]);
  };
  return identity(before) !== identity(after);
}

/** Redirect URIs are https, loopback http or have a custom scheme. A pattern would match addresses of others. */
function checkRedirectUris(uris: readonly string[]): void {
  const refuse = (uri: string, problem: string) => {
    throw new PosternError("invalid_redirect_uri", `'redirect_uris': '${uri}' ${problem}`);
  };
  for (const uri of uris) {
    if (/[*{]/.test(uri)) refuse(uri, "must not contain * or {");
    if (isExposedHttp(uri)) refuse(uri, "must be https: plain http is allowed only for localhost and other loopback addresses");
  }
}

function authenticationMethod(data: ClientMetadata, defaultMethod: RegistrationContext["defaultMethod"]): string {
  if (data.token_endpoint_auth_method !== undefined) return data.token_endpoint_auth_method;
  const supported = data.token_endpoint_auth_methods_supported;
  if (supported === undefined) return defaultMethod;
  return supported.includes("private_key_jwt") && (data.jwks ?? data.jwks_uri) !== undefined ? "private_key_jwt" : "none";
}

/** The type of a client that does not name it: a program that is installed has no https address. */
function impliedType(uris: readonly string[]): "web" | "native" {
  return uris.some((uri) => uri.startsWith("https:")) ? "web" : "native";
}

/** Whether a JSON Web Key is symmetric or contains a private key (RFC 7518 section 6). */
function isSecretKey(key: { readonly kty: string }): boolean {
  return key.kty === "oct" || ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].some((name) => Object.hasOwn(key, name));
}

/** Keeps the members of a JSON Web Key that are text; certificates and the like are not used. */
function toJson(key: object): JsonObject {
  return Object.fromEntries(Object.entries(key).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

function invalidMetadata(problem: string): PosternError {
  return new PosternError("invalid_client_metadata", problem);
}
