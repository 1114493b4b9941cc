import * as oauth from "oauth4webapi";
import { AccessTokenError } from "./access-token-error.ts";
import type { Service } from "./service-source.ts";
import type { TokenTarget } from "./session.ts";
import { SignInError } from "./sign-in-error.ts";

/** The settings of the app's client. */
interface AppClientSettings {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The secret values that belong to an authorization request. They are needed to check its response. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The tokens of a sign-in or a refresh. */
export interface Tokens {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string | undefined;
  /** Separated by spaces; undefined if the response does not contain it. */
  readonly scope: string | undefined;
  readonly claims: oauth.IDToken | undefined;
}

/** The app as an OpenID Connect client of a service in the same process. */
export interface Provider {
  readonly service: Service;
  /** Returns the URL of the authorization request, to which the browser is redirected. */
  authorizationUrl(attempt: Attempt, parameters: { readonly [name: string]: string | undefined }): Promise<URL>;
  /**
   * Exchanges the authorization code.
   * @param response the callback URL with the parameters of the authorization response.
   * @throws {SignInError} if the response is not a valid code for this attempt.
   */
  exchangeCode(response: URL, attempt: Attempt, redirectUri: string): Promise<Tokens>;
  /**
   * @param target the API and the organization of the new access token. Default: those of the sign-in.
   * @returns undefined if the refresh token is no longer valid.
   * @throws {AccessTokenError} if the service issues no token for the target.
   */
  refresh(refreshToken: string, target?: TokenTarget): Promise<Tokens | undefined>;
}

/** A request as `oauth4webapi` sends it. */
interface InProcessRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: BodyInit | null | undefined;
}

/** Creates a {@link Provider} with `oauth4webapi`, whose requests are sent in process. */
export async function createProvider(service: Service, { clientId, clientSecret, now }: AppClientSettings): Promise<Provider> {
  const issuer = new URL(service.issuer);
  // The library reads the system's clock. The skew makes it use `now`, which tests replace.
  const clientNow = (): oauth.Client => ({ client_id: clientId, [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000) });
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  const inProcess = {
    [oauth.customFetch]: (url: string, { method, headers, body }: InProcessRequest) =>
      service.fetch(new Request(url, { method, headers, body: body ?? null })),
    // The requests do not use the network. The issuer is `http:` only in development.
    [oauth.allowInsecureRequests]: true,
  };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, inProcess));

  return {
    service,
    async authorizationUrl({ state, nonce, verifier }, parameters) {
      const url = new URL(server.authorization_endpoint ?? "authorize", issuer);
      const challenge = await oauth.calculatePKCECodeChallenge(verifier);
      const fixed = { client_id: clientId, response_type: "code", state, nonce, code_challenge: challenge, code_challenge_method: "S256" };
      for (const [name, value] of Object.entries({ ...parameters, ...fixed })) if (value !== undefined) url.searchParams.set(name, value);
      return url;
    },
    async exchangeCode(callbackUrl, { state, nonce, verifier }, redirectUri) {
      const client = clientNow();
      try {
        const parameters = oauth.validateAuthResponse(server, client, callbackUrl, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          verifier,
          inProcess,
        );
        return toTokens(
          await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true }),
        );
      } catch (cause) {
        throw asSignInError(cause);
      }
    },
    async refresh(refreshToken, target = {}) {
      const client = clientNow();
      const additionalParameters = { ...target };
      const request = { ...inProcess, additionalParameters };
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, request);
      try {
        return toTokens(await oauth.processRefreshTokenResponse(server, client, response));
      } catch (error) {
        if (!(error instanceof oauth.ResponseBodyError)) throw error;
        if (error.error === "invalid_grant") return undefined;
        if (Object.keys(target).length === 0) throw error;
        throw new AccessTokenError(error.error, error.error_description ?? error.error, { cause: error });
      }
    },
  };
}

export function newAttempt(): Attempt {
  return { state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(), verifier: oauth.generateRandomCodeVerifier() };
}

function toTokens(response: oauth.TokenEndpointResponse): Tokens {
  return {
    accessToken: response.access_token,
    expiresIn: response.expires_in ?? 0,
    refreshToken: response.refresh_token,
    scope: response.scope,
    claims: oauth.getValidatedIdTokenClaims(response),
  };
}

function asSignInError(cause: unknown): SignInError {
  if (cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError) {
    return new SignInError(cause.error, cause.error_description ?? cause.error, { cause });
  }
  return new SignInError("invalid_response", "the authorization response or the token response is invalid", { cause });
}
