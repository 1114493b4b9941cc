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
import { createSessions, type Session } from "./sessions.ts";
import { beginSignIn, findSignIn, randomText } from "./sign-ins.ts";

/** What the first page shows of the demo. */
export interface DemoView {
  readonly notice: Notice | undefined;
  readonly session: Session | undefined;
  /** What `/userinfo` answers; undefined where it refuses the access token. */
  readonly userinfo: object | undefined;
}

/** A small app that people sign in to, as any app's server would do it: authorization code with PKCE, and tokens that no browser sees. */
export interface Demo {
  view(request: Request): Promise<DemoView>;
  /** Somebody comes back from signing in: with a code, or with the reason why there is none. */
  finish(request: Request): Promise<Response>;
  /** What the buttons do, by the names in their addresses. */
  readonly actions: ReadonlyMap<string, (request: Request) => Promise<Response>>;
}

/** What {@link createDemo} works with. */
export interface DemoParts {
  readonly postern: Postern;
  readonly clients: DemoClients;
  readonly log: Log;
}

const scope = "openid profile email offline_access";
const browserCookie = "postern_demo_browser";
const sessionCookie = "postern_demo";
/** Seconds that a sign-in may take, with a look into the mail in between. */
const patience = 3600;

export function createDemo({ postern, clients, log }: DemoParts): Demo {
  const { issuer } = postern;
  const cookies = createCookies(issuer);
  const sessions = createSessions();
  const open = openClients(postern, clients);

  async function signIn(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const secret = cookies.read(request, browserCookie) ?? randomText();
    const asked = searchParams.get("client") ?? "spa";
    const begun = beginSignIn(secret, isClientName(asked) ? asked : "spa");
    const url = buildAuthorizationUrl(await open(begun.client), {
      redirect_uri: issuer,
      scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: "S256",
      ...(searchParams.has("silent") && { prompt: "none" }),
    });
    return redirect(url.href, [cookies.write(browserCookie, secret, patience)]);
  }

  async function finish(request: Request): Promise<Response> {
    const { search, searchParams } = new URL(request.url);
    const secret = cookies.read(request, browserCookie);
    const begun = secret === undefined ? undefined : findSignIn(secret, searchParams.get("state") ?? "");
    if (begun === undefined) return home("not-begun-here");
    try {
      const session = await exchange(begun.client, issuer + search, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
      });
      // A new id at each sign-in: nobody can have known it before.
      sessions.remove(cookies.read(request, sessionCookie));
      return home(undefined, [cookies.write(sessionCookie, sessions.add(session))]);
    } catch (error) {
      return home(reasonOf(error));
    }
  }

  async function exchange(client: ClientName, url: string, checks: Parameters<typeof authorizationCodeGrant>[2]): Promise<Session> {
    const tokens = await authorizationCodeGrant(await open(client), new URL(url), { ...checks, idTokenExpected: true });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error("there is no ID token");
    return {
      client,
      idToken: tokens.id_token,
      claims,
      accessToken: tokens.access_token,
      accessExpiresAt: secondsFromNow(tokens.expiresIn()),
      refreshToken: tokens.refresh_token,
      spentTokens: [],
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
        spentTokens: isRotated ? [session.refreshToken, ...session.spentTokens].slice(0, 3) : session.spentTokens,
        refreshedAt: new Date(),
      });
      return home();
    } catch (error) {
      if (!(error instanceof ResponseBodyError && error.error === "invalid_grant")) return home(reasonOf(error));
      sessions.remove(id);
      return home("refresh-ended", [cookies.write(sessionCookie, "", 0)]);
    }
  }

  async function signOut(request: Request): Promise<Response> {
    const id = cookies.read(request, sessionCookie);
    const session = sessions.find(id);
    sessions.remove(id);
    const gone = [cookies.write(sessionCookie, "", 0)];
    // Without the ID token, on a page from before a restart, Postern asks the person first.
    const url = buildEndSessionUrl(await open(session?.client ?? "spa"), {
      ...(session && { id_token_hint: session.idToken }),
      post_logout_redirect_uri: issuer,
      // It comes back as it is, and the page then knows what happened.
      state: "signed-out",
    });
    return redirect(url.href, gone);
  }

  async function askUserinfo(session: Session): Promise<object | undefined> {
    try {
      return await fetchUserInfo(await open(session.client), session.accessToken, session.claims.sub);
    } catch {
      return undefined;
    }
  }

  /** Back to the page; what stood in the address, such as a code, is gone then. */
  function home(notice?: NoticeName, set: readonly string[] = []): Response {
    return redirect(notice === undefined ? issuer : `${issuer}?notice=${notice}`, set);
  }

  function reasonOf(error: unknown): NoticeName {
    const code = error instanceof AuthorizationResponseError ? error.error : undefined;
    if (code === "access_denied") return "declined";
    if (code === "login_required" || code === "interaction_required" || code === "consent_required") return "nobody-there";
    log.log({ level: "warn", event: "demo", text: "The demo could not get its tokens.", error });
    return "failed";
  }

  /** Only the page's own buttons count: a stranger's page cannot sign anybody out. */
  const own =
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
        userinfo: session && (await askUserinfo(session)),
      };
    },
    finish,
    actions: new Map([
      ["sign-in", signIn],
      ["refresh", own(refresh)],
      ["sign-out", own(signOut)],
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
