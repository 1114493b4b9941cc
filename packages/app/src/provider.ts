import * as oauth from "oauth4webapi";
import type { Service } from "./service-source.ts";
import { SignInError } from "./sign-in-error.ts";

/** What a client of the tenant is. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A request that a person was sent to sign in with. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a sign-in or a refresh brings. */
export interface Tokens {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string | undefined;
  /** Separated by spaces; undefined when the answer does not say it. */
  readonly scope: string | undefined;
  readonly claims: oauth.IDToken | undefined;
}

/** The app as an OpenID Connect client of a service in its own process. */
export interface Provider {
  readonly service: Service;
  /** The address that a person is sent to. */
  authorizationUrl(attempt: Attempt, parameters: { readonly [name: string]: string | undefined }): Promise<URL>;
  /** @throws {SignInError} where the person comes back with anything but a code for this attempt. */
  redeem(answer: URL, attempt: Attempt, redirectUri: string): Promise<Tokens>;
  /** @returns undefined where the refresh token counts no longer. */
  refresh(refreshToken: string): Promise<Tokens | undefined>;
}

/** A request as `oauth4webapi` sends it. */
interface InProcessRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: BodyInit | null | undefined;
}

/** Makes a {@link Provider}: `oauth4webapi`, whose requests are answered in process. */
export async function createProvider(service: Service, { clientId, clientSecret, now }: ClientSettings): Promise<Provider> {
  const issuer = new URL(service.issuer);
  // The library goes by the system's clock, tests by another one.
  const clientNow = (): oauth.Client => ({ client_id: clientId, [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000) });
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  const inProcess = {
    [oauth.customFetch]: (url: string, { method, headers, body }: InProcessRequest) =>
      service.fetch(new Request(url, { method, headers, body: body ?? null })),
    // Nothing goes over a network; an `http:` issuer is that of a developer.
    [oauth.allowInsecureRequests]: true,
  };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, inProcess));

  return {
    service,
    async authorizationUrl({ state, nonce, verifier }, parameters) {
      const url = new URL(server.authorization_endpoint ?? "authorize", issuer);
      const challenge = await oauth.calculatePKCECodeChallenge(verifier);
      const own = { client_id: clientId, response_type: "code", state, nonce, code_challenge: challenge, code_challenge_method: "S256" };
      for (const [name, value] of Object.entries({ ...parameters, ...own })) if (value !== undefined) url.searchParams.set(name, value);
      return url;
    },
    async redeem(answer, { state, nonce, verifier }, redirectUri) {
      const client = clientNow();
      try {
        const parameters = oauth.validateAuthResponse(server, client, answer, state);
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
    async refresh(refreshToken) {
      const client = clientNow();
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, inProcess);
      try {
        return toTokens(await oauth.processRefreshTokenResponse(server, client, response));
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") return undefined;
        throw error;
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
  return new SignInError("invalid_response", "the answer of the sign-in cannot be used", { cause });
}
