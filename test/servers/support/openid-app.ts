import * as client from "openid-client";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { SecurePostern } from "./secure.ts";

/** Sets up an `openid-client` client by discovery. */
export function configure(postern: SecurePostern, clientId: string, clientSecret: string): Promise<client.Configuration> {
  const fetch: client.CustomFetch = (url, { body, ...more }) =>
    postern.fetch(url, { ...more, body: body instanceof URLSearchParams ? body : null });
  return client.discovery(new URL(postern.issuer), clientId, clientSecret, undefined, { [client.customFetch]: fetch });
}

/**
 * A web app on `openid-client` that stores one sign-in per `state`, so any number of tabs can sign in at the same time.
 */
export interface OpenIdApp {
  readonly serve: RequestListener;
  /** Returns the tokens of the last token response. */
  readonly tokens: () => client.TokenEndpointResponse;
}

interface Started {
  readonly pkceCodeVerifier: string;
  readonly expectedNonce: string;
  readonly formPost: boolean;
}

/**
 * Creates an {@link OpenIdApp}. It responds with JSON:
 * - `/login?…` redirects to the authorization endpoint and adds the query to the request.
 * - `/callback…` exchanges the code and shows the user who signed in or the error. `/callback/onward` then redirects to
 *   another site.
 * - `/refresh` refreshes the tokens. `/userinfo` shows the user. `/logout` signs out and returns to `/bye`.
 */
export function createOpenIdApp(configuration: client.Configuration, origin: string): OpenIdApp {
  const started = new Map<string, Started>();
  let tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

  const login = async (query: URLSearchParams): Promise<string> => {
    const [state, pkceCodeVerifier, expectedNonce] = [client.randomState(), client.randomPKCECodeVerifier(), client.randomNonce()];
    started.set(state, { pkceCodeVerifier, expectedNonce, formPost: query.get("response_mode") === "form_post" });
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${origin}/callback`,
      scope: "openid profile email offline_access",
      ...Object.fromEntries(query),
      state,
      nonce: expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    }).href;
  };

  const finish = async (url: URL, body: string | undefined): Promise<object> => {
    const state = new URLSearchParams(body ?? url.search).get("state") ?? "";
    const { formPost, ...checks } = started.get(state) ?? {};
    started.delete(state);
    const callbackRequest = formPost ? new Request(url, { method: "POST", body: new URLSearchParams(body) }) : url;
    try {
      tokens = await client.authorizationCodeGrant(configuration, callbackRequest, {
        ...checks,
        expectedState: state,
        idTokenExpected: true,
      });
      return { path: url.pathname, email: tokens.claims()?.["email"] };
    } catch (thrown) {
      return { path: url.pathname, error: thrown instanceof client.AuthorizationResponseError ? thrown.error : String(thrown) };
    }
  };

  const refreshTokens = async (): Promise<object> => {
    const before = tokens.refresh_token ?? "";
    tokens = await client.refreshTokenGrant(configuration, before);
    return { rotated: tokens.refresh_token !== undefined && tokens.refresh_token !== before };
  };

  const logoutUrl = (): string =>
    client.buildEndSessionUrl(configuration, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: `${origin}/bye`,
      state: "left",
    }).href;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", origin);
    let body = "";
    for await (const part of request) body += part;
    const redirect = (to: string): unknown => response.writeHead(303, { location: to }).end();
    const show = (value: unknown): unknown => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (url.pathname === "/login") redirect(await login(url.searchParams));
    else if (url.pathname.startsWith("/callback")) {
      const finished = await finish(url, request.method === "POST" ? body : undefined);
      if (url.pathname === "/callback/onward") redirect(`https://elsewhere.test:${url.port}/home`);
      else show(finished);
    } else if (url.pathname === "/refresh") show(await refreshTokens());
    else if (url.pathname === "/userinfo") show(await client.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? ""));
    else if (url.pathname === "/logout") redirect(logoutUrl());
    else show({ path: url.pathname, state: url.searchParams.get("state") });
  };

  return { tokens: () => tokens, serve: (request, response) => void answer(request, response) };
}
