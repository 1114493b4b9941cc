import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import { readProfileEmail } from "./profile-email.ts";
import { estimateBytes } from "../../store/estimate-bytes.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import type { ValidatedParameter } from "../../model/connections/strategies/upstream-params.ts";
import { expectsIdToken, type UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import type { Wait } from "../../adapters/wait.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import type { ProviderAttempt } from "./attempt.ts";
import { readAuthTime } from "./auth-time.ts";
import { toConformTokenResponse } from "./lenient-responses.ts";
import { findProvider, type UpstreamProvider, type UpstreamClient } from "./provider.ts";
import { RefusedValueError } from "./refused-value.ts";
import { createProviderInteraction, type Asking, type Steps } from "./steps.ts";
import type { ServiceContext } from "../../context.ts";
import type { ProviderDocuments } from "../../process-state/provider-documents.ts";
import { unidentifiedUser, UpstreamError } from "./upstream-error.ts";
import type { UpstreamTokens } from "./upstream-tokens.ts";

/** Timeout in milliseconds for all requests in one interaction with a provider together. */
const timeout = 5000;

/** The parameters for the authorization request of one sign-in. */
interface AttemptParameters {
  readonly redirectUri: string;
  /** Further parameters, by the names that the provider defines. They do not replace a {@link ValidatedParameter}. */
  readonly more?: { readonly [name: string]: string };
  /** Scopes in addition to those of the connection, separated by spaces. */
  readonly scope?: string | undefined;
}

/** The parameters that the options of a connection cannot set. A parameter with the value undefined is not sent. */
type ValidatedParameters = { readonly [Name in ValidatedParameter]: string | undefined };

/** Returns the URL of an authorization request (OpenID Connect Core section 3.1.2.1). @throws {UpstreamError} */
export async function authorizationUrl(
  upstream: UpstreamClient,
  attempt: ProviderAttempt,
  sent: AttemptParameters,
  wait: Wait,
): Promise<string> {
  return withinTimeout(upstream, wait, async (steps) => {
    const { description, callback, server, client } = await findProvider(upstream, steps);
    const { authorization_endpoint: endpoint, require_pushed_authorization_requests: requiresPar } = server;
    if (requiresPar === true)
      throw new UpstreamError("misconfigured", "the provider requires pushed authorization requests (PAR), which are not supported");
    if (endpoint === undefined || !URL.canParse(endpoint))
      throw new UpstreamError("misconfigured", "the provider's metadata contains no authorization endpoint");
    const url = new URL(endpoint);
    // A URL with another scheme, such as javascript:, could run code in the browser.
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new UpstreamError("misconfigured", "the authorization endpoint is not an http or https URL");
    const sendsPkce = description.pkce !== false;
    const parameters: { readonly [name: string]: string | undefined } & ValidatedParameters = {
      ...description.parameters,
      ...sent.more,
      client_id: client.client_id,
      redirect_uri: sent.redirectUri,
      response_type: "code",
      scope: [description.scope, sent.scope].filter(Boolean).join(" ") || undefined,
      state: attempt.state,
      nonce: expectsNonce(description) ? attempt.nonce : undefined,
      response_mode: callback.method === "POST" ? "form_post" : undefined,
      code_challenge: sendsPkce ? await oauth.calculatePKCECodeChallenge(attempt.verifier) : undefined,
      code_challenge_method: sendsPkce ? "S256" : undefined,
      request: undefined,
      request_uri: undefined,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  });
}

/** The user that a provider authenticated, and the tokens that the provider issued. */
export interface ProviderIdentity {
  readonly profile: UpstreamProfile;
  /** The data that the provider sent about the user: the claims of the ID token, of userinfo, and the further documents. */
  readonly claims: JsonObject;
  /** Undefined if the protocol of the provider has no tokens. */
  readonly tokens: UpstreamTokens | undefined;
  /**
   * When the user authenticated at the provider (`auth_time` in the ID token), in milliseconds since 1970. Undefined if
   * the provider does not return the time.
   */
  readonly authenticatedAt: number | undefined;
}

/**
 * The user's identity at a provider. `tokens` is undefined if the tokens are not stored, or if no key can decrypt them.
 */
export type StoredIdentity = Pick<ProviderIdentity, "profile"> & { readonly tokens?: UpstreamTokens | undefined };

/** Returns whether the provider of a connection identifies the user with an ID token. */
export function usesIdToken(connection: UpstreamClient["connection"]): boolean {
  const description = upstreamStrategy(connection)?.describe(connection.options);
  return description !== undefined && expectsIdToken(description);
}

/**
 * Redeems the code in an authorization response and returns the user that the provider authenticated.
 * @param received the parameters of the callback. Only the parameters that the strategy declares are read.
 * @throws {UpstreamError}
 */
export async function fetchProviderProfile(
  upstream: UpstreamClient,
  attempt: ProviderAttempt,
  received: URLSearchParams,
  redirectUri: string,
  wait: Wait,
): Promise<ProviderIdentity> {
  return withinTimeout(upstream, wait, async (steps) => {
    const provider = await findProvider(upstream, steps);
    const { description, callback, server, client, authentication } = provider;
    const callbackParameters = new URLSearchParams([...received].filter(([name]) => Object.hasOwn(callback.parameters, name)));
    const parameters = await steps.run(
      "authorization response",
      async () => readAuthorizationResponse(provider, callbackParameters, attempt.state),
      server.authorization_endpoint,
    );
    const verifier = description.pkce === false ? oauth.nopkce : attempt.verifier;
    const { given, claims } = await steps.run("token", async (asking) => {
      const received = await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, redirectUri, verifier, asking);
      const response = await toConformTokenResponse(description, received);
      return readTokens(provider, upstream.context, attempt, response, steps);
    });
    const profileData = {
      ...readSentObject(description.callbackObject, callbackParameters),
      ...claims,
      ...(await fetchProfile(provider, given.access_token, claims, steps)),
    };
    return steps.run(expectsIdToken(description) ? "id_token" : "userinfo", async () => {
      const profile = description.read(profileData);
      if (profile === undefined) throw new UpstreamError("failed", unidentifiedUser);
      // The authentication time is read only from the ID token, because the token is signed.
      return {
        profile: readProfileEmail(upstream, profile),
        claims: profileData,
        tokens: toTokens(given, upstream.context),
        authenticatedAt: readAuthTime(claims, upstream.context),
      };
    });
  });
}

/** Validates the authorization response (RFC 6749 section 4.1.2, RFC 9207). */
function readAuthorizationResponse(
  { description, server, client }: UpstreamProvider,
  callbackParameters: URLSearchParams,
  state: string,
): URLSearchParams {
  const parameters = oauth.validateAuthResponse(server, client, withoutUnknownIssuer(description, callbackParameters), state);
  if (!parameters.get("code")) throw new UpstreamError("failed", "the authorization response has neither a code nor an error");
  return parameters;
}

/**
 * Exchanges a refresh token for new tokens at the provider (RFC 6749 section 6).
 * @throws {UpstreamError} `revoked` if the provider no longer accepts the refresh token.
 */
export async function refreshProviderTokens(upstream: UpstreamClient, refreshToken: string, wait: Wait): Promise<UpstreamTokens> {
  return withinTimeout(upstream, wait, async (steps) => {
    const provider = await findProvider(upstream, steps);
    const { server, client, authentication } = provider;
    return steps.run("token", async (asking) => {
      const received = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, asking);
      try {
        const response = await toConformTokenResponse(provider.description, received);
        const issuing = await issuingServer(provider, response);
        return toTokens(await oauth.processRefreshTokenResponse(issuing, client, response), upstream.context);
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant")
          throw new UpstreamError("revoked", "the refresh token is no longer valid");
        throw error;
      }
    });
  });
}

function toTokens(
  { access_token: access, refresh_token: refresh, scope, expires_in: seconds }: oauth.TokenEndpointResponse,
  context: ServiceContext,
): UpstreamTokens {
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    ...(scope !== undefined && { scope }),
    ...(seconds !== undefined && { expires_at: context.now() + Math.floor(seconds * 1000) }),
  };
}

/** Returns the JSON object in the callback parameter with this name. Invalid JSON is ignored. */
function readSentObject(name: string | undefined, callbackParameters: URLSearchParams): JsonObject {
  const text = name === undefined ? null : callbackParameters.get(name);
  if (name === undefined || text === null) return {};
  try {
    return { [name]: asObject(JSON.parse(text)) };
  } catch {
    return {};
  }
}

function expectsNonce(description: UpstreamProvider["description"]): boolean {
  return description.nonce ?? expectsIdToken(description);
}

/** Removes `iss` from an authorization response if no issuer is configured to compare it with. */
function withoutUnknownIssuer({ idToken }: UpstreamProvider["description"], callbackParameters: URLSearchParams): URLSearchParams {
  if (idToken !== false) return callbackParameters;
  const rest = new URLSearchParams(callbackParameters);
  rest.delete("iss");
  return rest;
}

/** Returns the provider's metadata with the issuer in the ID token, for providers with many issuers. */
async function issuingServer(
  { description: { issuerOf }, server }: UpstreamProvider,
  response: Response,
): Promise<oauth.AuthorizationServer> {
  return issuerOf === undefined ? server : { ...server, issuer: issuerOf(await unverifiedClaims(response)) };
}

async function readTokens(
  provider: UpstreamProvider,
  context: ServiceContext,
  attempt: ProviderAttempt,
  response: Response,
  steps: Steps,
): Promise<{ readonly given: oauth.TokenEndpointResponse; readonly claims: JsonObject }> {
  const { description, server, client } = provider;
  if (!expectsIdToken(description)) return { given: await oauth.processAuthorizationCodeResponse(server, client, response), claims: {} };
  const issuing = await issuingServer(provider, response);
  const given = await oauth.processAuthorizationCodeResponse(issuing, client, response, {
    requireIdToken: true,
    ...(expectsNonce(description) && { expectedNonce: attempt.nonce }),
  });
  // The signature is verified even though the token was received over TLS.
  await steps.run(
    "jwks",
    (asking) => checkSignature(issuing, response, context.processState.providerDocuments.keys, asking),
    issuing.jwks_uri,
  );
  const claims = oauth.getValidatedIdTokenClaims(given);
  if (claims === undefined) throw new UpstreamError("failed", "the provider returned no ID token");
  // The library checks `azp` only if there are several audiences (OpenID Connect Core section 3.1.3.7).
  if (claims.azp !== undefined && claims.azp !== client.client_id)
    throw new RefusedValueError("id_token", "the ID token was issued to another client", {
      claim: "azp",
      expected: client.client_id,
      received: claims.azp,
    });
  return { given, claims: asJson(claims) };
}

/**
 * Verifies the signature of an ID token. Fetches the keys again if the cached keys do not include the key that signed
 * the token.
 */
async function checkSignature(
  server: oauth.AuthorizationServer,
  response: Response,
  keys: ProviderDocuments["keys"],
  asking: Asking,
): Promise<void> {
  const place = server.jwks_uri ?? "";
  const cached = keys.get(place);
  // The metadata is copied, because the library binds the keys to the object that it received first.
  const validate = (cache: oauth.JWKSCacheInput): Promise<void> =>
    oauth.validateApplicationLevelSignature({ ...server }, response, { ...asking, [oauth.jwksCache]: cache });
  if (cached !== undefined) {
    try {
      await validate(cached);
      // The library refreshes old keys in the same object.
      return keys.resize(place, estimateBytes(cached));
    } catch (error) {
      keys.delete(place);
      const unknownKey = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
      if (!unknownKey) throw error;
    }
  }
  const cache: oauth.JWKSCacheInput = {};
  await validate(cache);
  keys.set(place, cache, estimateBytes(cache));
}

async function unverifiedClaims(response: Response): Promise<JsonObject> {
  const body = asObject(await response.clone().json());
  return typeof body["id_token"] === "string" ? asJson(decodeJwt(body["id_token"])) : {};
}

/**
 * Fetches the data that the ID token does not contain: the profile from the userinfo endpoint, and the further
 * documents that the strategy declares.
 */
async function fetchProfile(
  { description, server, client }: UpstreamProvider,
  accessToken: string,
  claims: JsonObject,
  steps: Steps,
): Promise<JsonObject> {
  const { fetchesUserinfo = !expectsIdToken(description), furtherUrls = {} } = description;
  const get = (url: string): Promise<Json> =>
    steps.run("userinfo", async (asking) => {
      const headers = new Headers({ accept: "application/json" });
      const response = await oauth.protectedResourceRequest(accessToken, "GET", new URL(url), headers, null, asking);
      if (response.status !== 200) throw new UpstreamError("failed", "unexpected HTTP status");
      return (await response.json()) as Json;
    });
  const { userinfo_endpoint: userinfo } = server;
  const { sub } = claims;
  const profile = async (): Promise<JsonObject> => {
    if (!fetchesUserinfo || userinfo === undefined) return {};
    if (typeof sub !== "string") return asObject(await get(userinfo));
    return steps.run("userinfo", async (asking) => {
      const response = await oauth.userInfoRequest(server, client, accessToken, asking);
      return asJson(await oauth.processUserInfoResponse(server, client, sub, response));
    });
  };
  const [about, ...others] = await Promise.all([
    profile(),
    ...Object.entries(furtherUrls).map(async ([name, url]): Promise<[string, Json]> => [name, await get(url)]),
  ]);
  return { ...about, ...Object.fromEntries(others) };
}

function asObject(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UpstreamError("failed", "the provider's response is not a JSON object");
}

/** Casts an object that was parsed from JSON, which the types of the library do not express. */
function asJson(claims: object): JsonObject {
  return asObject(claims);
}

/** Runs all requests of one interaction with a provider within {@link timeout}. @throws {UpstreamError} */
async function withinTimeout<T>(upstream: UpstreamClient, wait: Wait, work: (steps: Steps) => Promise<T>): Promise<T> {
  const interaction = createProviderInteraction(upstream);
  try {
    return await withDeadline((signal) => work(interaction.begin(signal)), timeout, "the identity provider", wait);
  } catch (error) {
    throw interaction.toUpstreamError(error);
  }
}
