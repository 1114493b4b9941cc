import type { Postern } from "@postern/core";
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  refreshTokenGrant,
  ResponseBodyError,
} from "openid-client";
import type { Log } from "../log.ts";
import { openClients, isClientName, type ClientName, type DemoClients } from "./clients.ts";
import { createCookies } from "./cookies.ts";
import { findNotice, type Notice, type NoticeName } from "./notices.ts";
import { createDemoSessions, type DemoSession } from "./sessions.ts";
import { beginSignIn, findSignIn, randomText } from "./sign-ins.ts";

/** The state of the demo that the home page displays. */
export interface DemoView {
  readonly notice: Notice | undefined;
  readonly session: DemoSession | undefined;
  /** The `/userinfo` response; undefined if `/userinfo` rejects the access token. */
  readonly userinfo: object | undefined;
}

/**
 * A small app that works like the server of any app: authorization code with PKCE, and tokens that stay on the server.
 */
interface Demo {
  view(request: Request): Promise<DemoView>;
  /** Handles the authorization response, which contains a code or an error. */
  finish(request: Request): Promise<Response>;
  /** The handlers for the buttons, by the last path segment of their URL. */
  readonly actions: ReadonlyMap<string, (request: Request) => Promise<Response>>;
}

/** Parameters of {@link createDemo}. */
interface DemoParts {
  readonly postern: Postern;
  readonly clients: DemoClients;
  readonly log: Log;
}

const scope = "openid profile email offline_access";
const browserCookie = "postern_demo_browser";
const sessionCookie = "postern_demo";
/** Maximum duration of a sign-in in seconds. The user may have to read an email before the sign-in is complete. */
const signInTimeout = 3600;

export function createDemo({ postern, clients, log }: DemoParts): Demo {
  const { issuer } = postern;
  const cookies = createCookies(issuer);
  const sessions = createDemoSessions();
  const open = openClients(postern, clients);

  async function signIn(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const secret = cookies.read(request, browserCookie) ?? randomText();
    const client = searchParams.get("client") ?? "spa";
    const attempt = beginSignIn(secret, isClientName(client) ? client : "spa");
    const url = buildAuthorizationUrl(await open(attempt.client), {
      redirect_uri: issuer,
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
      ...(searchParams.has("silent") && { prompt: "none" }),
      ...(searchParams.has("mfa") && { acr_values: "http://schemas.openid.net/pape/policies/2007/06/multi-factor" }),
    });
    return redirect(url.href, [cookies.write(browserCookie, secret, signInTimeout)]);
  }

  async function finish(request: Request): Promise<Response> {
    const { search, searchParams } = new URL(request.url);
    const secret = cookies.read(request, browserCookie);
    const attempt = secret === undefined ? undefined : findSignIn(secret, searchParams.get("state") ?? "");
    if (attempt === undefined) return home("not-started-here");
    try {
      const session = await exchange(attempt.client, issuer + search, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
      });
      // Each sign-in creates a new session id, so that an attacker cannot know the id in advance.
      sessions.remove(cookies.read(request, sessionCookie));
      return home(undefined, [cookies.write(sessionCookie, sessions.add(session))]);
    } catch (error) {
      return home(noticeFor(error));
    }
  }

  async function exchange(client: ClientName, url: string, checks: Parameters<typeof authorizationCodeGrant>[2]): Promise<DemoSession> {
    const tokens = await authorizationCodeGrant(await open(client), new URL(url), { ...checks, idTokenExpected: true });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error("the token response has no ID token");
    return {
      client,
      idToken: tokens.id_token,
      claims,
      accessToken: tokens.access_token,
      accessExpiresAt: secondsFromNow(tokens.expiresIn()),
      refreshToken: tokens.refresh_token,
      usedTokens: [],
      refreshedAt: undefined,
    };
  }

  async function refresh(request: Request): Promise<Response> {
    const id = cookies.read(request, sessionCookie);
    const session = sessions.find(id);
    if (id === undefined || session?.refreshToken === undefined) return home("no-refresh");
    try {
      const tokens = await refreshTokenGrant(await open(session.client), session.refreshToken);
      const isRotated = tokens.refresh_token !== undefined && tokens.refresh_token !== session.refreshToken;
      sessions.replace(id, {
        ...session,
        idToken: tokens.id_token ?? session.idToken,
        claims: tokens.claims() ?? session.claims,
        accessToken: tokens.access_token,
        accessExpiresAt: secondsFromNow(tokens.expiresIn()),
        refreshToken: tokens.refresh_token ?? session.refreshToken,
        usedTokens: isRotated ? [session.refreshToken, ...session.usedTokens].slice(0, 3) : session.usedTokens,
        refreshedAt: new Date(),
      });
      return home();
    } catch (error) {
      if (!(error instanceof ResponseBodyError && error.error === "invalid_grant")) return home(noticeFor(error));
      sessions.remove(id);
      return home("refresh-ended", [cookies.write(sessionCookie, "", 0)]);
    }
  }

  async function signOut(request: Request): Promise<Response> {
    const id = cookies.read(request, sessionCookie);
    const session = sessions.find(id);
    sessions.remove(id);
    const expiredCookie = [cookies.write(sessionCookie, "", 0)];
    // Without an ID token, for example after a restart, Postern asks the user for confirmation.
    const url = buildEndSessionUrl(await open(session?.client ?? "spa"), {
      ...(session && { id_token_hint: session.idToken }),
      post_logout_redirect_uri: issuer,
      // Postern returns the state unchanged, and the home page uses it to select the notice.
      state: "signed-out",
    });
    return redirect(url.href, expiredCookie);
  }

  async function fetchUserinfo(session: DemoSession): Promise<object | undefined> {
    try {
      return await fetchUserInfo(await open(session.client), session.accessToken, session.claims.sub);
    } catch {
      return undefined;
    }
  }

  /** Redirects to the home page, which also removes parameters such as a code from the URL. */
  function home(notice?: NoticeName, set: readonly string[] = []): Response {
    return redirect(notice === undefined ? issuer : `${issuer}?notice=${notice}`, set);
  }

  function noticeFor(error: unknown): NoticeName {
    const code = error instanceof AuthorizationResponseError ? error.error : undefined;
    if (code === "access_denied") return "declined";
    if (code === "login_required" || code === "interaction_required" || code === "consent_required") return "no-session";
    log.log({ level: "warn", event: "demo", text: "The demo could not get its tokens.", error });
    return "failed";
  }

  /** Wraps a handler so that it accepts only requests from the home page. Another website cannot sign the user out. */
  const requireSameOrigin =
    (action: (request: Request) => Promise<Response>) =>
    async (request: Request): Promise<Response> =>
      request.headers.get("origin") === new URL(issuer).origin ? action(request) : new Response("Not from this page.\n", { status: 403 });

  return {
    async view(request) {
      const { searchParams } = new URL(request.url);
      const session = sessions.find(cookies.read(request, sessionCookie));
      return {
        notice: findNotice(searchParams.get("notice") ?? searchParams.get("state")),
        session,
        userinfo: session && (await fetchUserinfo(session)),
      };
    },
    finish,
    actions: new Map([
      ["sign-in", signIn],
      ["refresh", requireSameOrigin(refresh)],
      ["sign-out", requireSameOrigin(signOut)],
    ]),
  };
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

function secondsFromNow(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000);
}
