import type { TenantApi } from "@postern/core/api";
import { cookieLine, parseCookies, readChunks, writeChunks, type CookieKind, type Cookies } from "./cookies.ts";
import { errorPage } from "./error-page.ts";
import { liveConnection } from "./live-connection.ts";
import { createProvider, newAttempt, type Attempt, type Provider, type Tokens } from "./provider.ts";
import {
  parseRequirements,
  unmetRequirement,
  type AcrValue,
  type AuthenticationRequirements,
  type ParsedRequirements,
} from "./requirements.ts";
import { returnPath } from "./return-to.ts";
import { createSeal } from "./seal.ts";
import { toService, type ServiceSource } from "./service-source.ts";
import { readSession, toContent, toSession, type Content, type Session } from "./session.ts";
import { SignInError } from "./sign-in-error.ts";
import { checkResponse, knownAcrsOf, readSignInRequest, type SignInRequest } from "./sign-in-request.ts";

export type { Session } from "./session.ts";

/** Options of {@link createSessions}. */
export interface SessionOptions {
  /** The service that the app embeds, a promise of one, or a function that opens one. */
  readonly postern: ServiceSource;
  /** The tenant whose users sign in. */
  readonly tenantId: string;
  /** The id of the app's client. Its `callbacks` must contain the app's URL with the path of `paths.callback`. */
  readonly clientId: string;
  /** The secret of the client. Omit it for a public client. */
  readonly clientSecret?: string;
  /** The app's public URL; it may have a path. Cookies are `Secure` if it is https. */
  readonly appUrl: string;
  /**
   * Encrypts the app's cookies: 32 characters or more. In a list, the first secret encrypts and all of them decrypt, so
   * that you can replace a secret.
   */
  readonly secret: string | readonly string[];
  /** The requested scopes. Default: `openid profile email offline_access`. */
  readonly scope?: string;
  /** The API that access tokens are for. */
  readonly audience?: string;
  /** The organization that users sign in to, by id or name. */
  readonly organization?: string;
  /** Maximum lifetime of an app session, in seconds. Default: 7 days. */
  readonly lifetimeSeconds?: number;
  /** The paths of the sign-in and sign-out routes, below `appUrl`. */
  readonly paths?: SessionPaths;
  /** The name of the cookies, without its prefix. Default: `app_session`. */
  readonly cookieName?: string;
  /** Returns the response to a failed sign-in. Default: a plain page with a link to try again. */
  readonly onError?: (error: SignInError, request: Request) => Response | Promise<Response>;
  /** Returns the time, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/** Paths below the app's URL. */
export interface SessionPaths {
  /** Default: `login`. With `?returnTo=/path`, the browser is redirected to `/path` after the sign-in. */
  readonly login?: string;
  /** Default: `callback`. */
  readonly callback?: string;
  /** Default: `logout`. Pages of the app link to it or submit a form to it. */
  readonly logout?: string;
}

/**
 * The parameters of one sign-in, in addition to the {@link SessionOptions}. The callback rejects a response that does
 * not match them, because a user can change the authorization request in the browser.
 */
export interface SignInOptions {
  /**
   * The path below `appUrl` to which the browser is redirected after the sign-in. A path or URL that is not below
   * `appUrl` is replaced by the path of `appUrl`.
   */
  readonly returnTo?: string | null;
  /**
   * The organization to sign in to, by id or name. Default: the option `organization` of `createSessions`. The callback
   * compares it with `org_id` or `org_name` in the ID token.
   */
  readonly organization?: string;
  /**
   * The name of the connection to sign in with. The callback compares it with the connection of the user's session at
   * the tenant.
   */
  readonly connection?: string;
  /**
   * OpenID Connect's `prompt`: `login`, `select_account`, `none`, `consent`. With `login`, `auth_time` in the ID token
   * must not be earlier than the start of this sign-in.
   */
  readonly prompt?: string;
  /**
   * OpenID Connect's `max_age`: the maximum number of seconds since the user authenticated. The callback compares it
   * with `auth_time` in the ID token. 0 requires a new authentication.
   */
  readonly maxAgeSeconds?: number;
  /**
   * OpenID Connect's `acr_values`, preferred first: the user must authenticate in one of these ways, for example with a
   * second factor. The callback compares them with `acr` in the ID token.
   */
  readonly acrValues?: readonly AcrValue[];
  readonly loginHint?: string;
  /** `signup` opens the sign-up page. */
  readonly screenHint?: string;
  readonly uiLocales?: string;
}

/** A request, and a function that adds cookies to its response. Pass a `Request` if no cookies have to be written. */
export interface Exchange {
  /** Absolute. */
  readonly url: string;
  readonly headers: Headers;
  /** Adds a `Set-Cookie` line to the response. */
  readonly setCookie?: (line: string) => void;
}

/** The sessions of an app. Created by {@link createSessions}. */
export interface Sessions {
  /** Handles the sign-in and sign-out routes. Returns undefined for every other request. */
  handle(request: Request): Promise<Response | undefined>;
  /**
   * Returns the session, or undefined if no user is signed in. Each call checks that the user, the user's session at
   * the tenant, the client, the connection that the user signed in with and, for a session in an organization, the
   * membership are still valid.
   */
  getSession(exchange: Exchange): Promise<Session | undefined>;
  /**
   * Returns the session. If no user is signed in, returns the response to send: for a page request, a redirect to the
   * sign-in, after which the browser returns to the page; for any other request, 401.
   *
   * With requirements, a session that does not satisfy them is treated in the same way: the sign-in asks for what is
   * missing, such as a second factor. If the user cannot satisfy the requirements, the response is 403 with the reason.
   * @throws {TypeError} if a requirement is invalid.
   */
  requireSession(exchange: Exchange, required?: AuthenticationRequirements): Promise<Session | Response>;
  /**
   * Returns the user's access token, or undefined if there is no valid one. A token that expires within a minute is
   * refreshed first, unless the exchange cannot set cookies: the new token would be lost.
   */
  getAccessToken(exchange: Exchange): Promise<string | undefined>;
  /**
   * Starts a sign-in. @returns the URL to which the app must redirect the browser.
   * @throws {TypeError} if `maxAgeSeconds` is not a whole number of seconds.
   */
  signIn(exchange: Exchange, options?: SignInOptions): Promise<URL>;
  /**
   * Ends the app's session and the user's session at the tenant, and revokes the refresh tokens from that session.
   * @returns the app's URL.
   */
  signOut(exchange: Exchange): Promise<URL>;
}

/** Lifetime of a sign-in attempt, in seconds. */
const attemptLifetime = 3600;

/** Maximum number of concurrent sign-in attempts in one browser. Older attempts are dropped. */
const maximumAttempts = 5;

/** An access token is refreshed this many seconds before it expires. */
const refreshBefore = 60;

/** Seconds by which an authentication may be older than required: `auth_time` has no fractions. */
const ageTolerance = 5;

/** Seconds in which a page request counts as the end of the sign-in that redirected to the page. */
const arrivalSeconds = 60;

/**
 * Creates the sessions of an app that embeds Postern. The app is an OpenID Connect client of the tenant (authorization
 * code with PKCE), and sends its requests in process. Browsers store the tokens encrypted, in `HttpOnly` cookies.
 * @throws {TypeError} if an option is invalid.
 *
 * @example
 * const sessions = createSessions({ postern, tenantId: "main", clientId: "web", clientSecret, appUrl: "https://app.example.com/", secret });
 * const response = (await sessions.handle(request)) ?? (await app(request));
 */
export function createSessions(options: SessionOptions): Sessions {
  const { tenantId, clientId, scope = "openid profile email offline_access", lifetimeSeconds = 604_800, now = Date.now } = options;
  const app = readAppUrl(options.appUrl);
  const { login = "login", callback = "callback", logout = "logout" } = options.paths ?? {};
  const at = { login: new URL(login, app), callback: new URL(callback, app), logout: new URL(logout, app) };
  for (const [name, { href }] of Object.entries(at)) {
    if (!href.startsWith(app.href)) throw new TypeError(`createSessions: 'paths.${name}' must be below 'appUrl'`);
  }
  const secrets = typeof options.secret === "string" ? [options.secret] : options.secret;
  const purpose = JSON.stringify([tenantId, clientId]);
  const sessionSeal = createSeal(secrets, `session ${purpose}`, now);
  const attemptSeal = createSeal(secrets, `sign-in ${purpose}`, now);
  const kind = cookieKind(app, options.cookieName ?? "app_session");
  const attemptPrefix = `${kind.name}_in.`;
  const service = toService(options.postern);
  let providerPromise: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    providerPromise ??= service().then((opened) => createProvider(opened, { clientId, clientSecret: options.clientSecret, now }));
    providerPromise.catch(() => (providerPromise = undefined));
    return providerPromise;
  };
  const api = async (scopes: Parameters<Provider["service"]["tenant"]>[1] = {}): Promise<TenantApi> =>
    (await service()).tenant(tenantId, { name: clientId, ...scopes });

  const cookiesOf = ({ headers, setCookie }: Exchange): Cookies => ({
    header: headers.get("cookie"),
    ...(setCookie !== undefined && { set: setCookie }),
  });

  const read = async (exchange: Exchange): Promise<Content | undefined> => {
    const text = readChunks(kind, exchange.headers.get("cookie"));
    return text === undefined ? undefined : readSession(await sessionSeal.decrypt(text));
  };
  const write = async (exchange: Exchange, content: Content): Promise<void> => {
    const lifetime = Math.floor(content.ends - now() / 1000);
    if (lifetime > 0) writeChunks(kind, await sessionSeal.encrypt(content, lifetime), lifetime, cookiesOf(exchange));
  };
  const deleteCookies = (exchange: Exchange): void => writeChunks(kind, "", 0, cookiesOf(exchange));

  const connectionOf = async ({ claims, sid }: Content): Promise<string | undefined> => {
    const organizationId = typeof claims["org_id"] === "string" ? claims["org_id"] : undefined;
    const checks = await api({ scopes: ["read:sessions", "read:organization_members"] });
    return liveConnection(checks, { userId: claims.sub, sessionId: sid, clientId, organizationId });
  };
  const readLive = async (exchange: Exchange): Promise<Content | undefined> => {
    const content = await read(exchange);
    if (content === undefined) return undefined;
    if ((await connectionOf(content)) !== undefined) return content;
    deleteCookies(exchange);
    return undefined;
  };

  const signIn = async (exchange: Exchange, signInOptions: SignInOptions = {}): Promise<URL> => {
    const attempt = newAttempt();
    const returnTo = returnPath(app, signInOptions.returnTo);
    const { connection, prompt, maxAgeSeconds: maxAge, acrValues: acrs = [], organization = options.organization } = signInOptions;
    if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
      throw new TypeError(`signIn: 'maxAgeSeconds' is ${maxAge}: pass a whole number of seconds`);
    const request: SignInRequest = {
      scope,
      ...(options.audience !== undefined && { audience: options.audience }),
      ...(organization !== undefined && { organization }),
      ...(connection !== undefined && { connection }),
      ...(prompt !== undefined && { prompt }),
      ...(maxAge !== undefined && { maxAge }),
      ...(acrs.length > 0 && { acrs }),
    };
    const sealed = await attemptSeal.encrypt({ ...attempt, returnTo, request, begunAt: Math.floor(now() / 1000) }, attemptLifetime);
    const known = [...parseCookies(exchange.headers.get("cookie")).keys()].filter((name) => name.startsWith(attemptPrefix));
    for (const name of known.slice(0, Math.max(0, known.length - maximumAttempts + 1))) {
      exchange.setCookie?.(cookieLine(name, "", kind.attributes, 0));
    }
    exchange.setCookie?.(cookieLine(attemptPrefix + attempt.state, sealed, kind.attributes, attemptLifetime));
    return (await provider()).authorizationUrl(attempt, {
      redirect_uri: at.callback.href,
      scope,
      audience: options.audience,
      organization,
      connection,
      prompt,
      max_age: maxAge?.toString(),
      acr_values: acrs.length > 0 ? acrs.join(" ") : undefined,
      login_hint: signInOptions.loginHint,
      screen_hint: signInOptions.screenHint,
      ui_locales: signInOptions.uiLocales,
    });
  };

  const finishSignIn = async (exchange: Exchange, url: URL): Promise<URL> => {
    const state = url.searchParams.get("state") ?? "";
    const name = attemptPrefix + state;
    const sealed = parseCookies(exchange.headers.get("cookie")).get(name);
    const opened = sealed === undefined ? undefined : await attemptSeal.decrypt(sealed);
    const attempt = readAttempt(opened);
    if (attempt === undefined || attempt.state !== state) {
      // A user who opens the callback URL again, or whose browser sends it twice, is already signed in.
      if ((await readLive(exchange)) !== undefined) return app;
      throw new SignInError("expired", "this sign-in was started in another browser, or it has expired");
    }
    exchange.setCookie?.(cookieLine(name, "", kind.attributes, 0));
    const callbackUrl = new URL(at.callback);
    callbackUrl.search = url.search;
    const tokens = await (await provider()).exchangeCode(callbackUrl, attempt, at.callback.href);
    if (tokens.claims === undefined) throw new SignInError("invalid_response", "the response to the sign-in has no ID token");
    const tokensWithClaims = { ...tokens, claims: tokens.claims };
    const seconds = Math.floor(now() / 1000);
    const content = toContent(tokensWithClaims, seconds, lifetimeSeconds);
    const connection = await connectionOf(content);
    if (connection === undefined) throw new SignInError("access_denied", "the session ended while the user signed in");
    checkResponse(attempt.request, { tokens: tokensWithClaims, connection, begunAt: attempt.begunAt, now: seconds });
    await write(exchange, { ...content, signIn: { at: seconds, isRenewal: attempt.request.maxAge === 0 } });
    return new URL(returnPath(app, attempt.returnTo), app);
  };

  const refresh = async (exchange: Exchange, content: Content): Promise<Content | undefined> => {
    if (content.refreshToken === undefined || exchange.setCookie === undefined) return undefined;
    const tokens: Tokens | undefined = await (await provider()).refresh(content.refreshToken);
    if (tokens === undefined) {
      deleteCookies(exchange);
      return undefined;
    }
    const next: Content = {
      ...content,
      accessToken: tokens.accessToken,
      accessEnds: Math.floor(now() / 1000) + tokens.expiresIn,
      refreshToken: tokens.refreshToken ?? content.refreshToken,
    };
    await write(exchange, next);
    return next;
  };

  const signOut = async (exchange: Exchange): Promise<URL> => {
    const content = await read(exchange);
    deleteCookies(exchange);
    if (content !== undefined) await (await api({ scopes: ["delete:sessions"] })).sessions.delete(content.sid);
    return app;
  };

  const getSession = async (exchange: Exchange): Promise<Session | undefined> => {
    const content = await readLive(exchange);
    return content && toSession(content);
  };

  return {
    getSession,
    signIn,
    signOut,
    async requireSession(exchange, required = {}) {
      const requirements = parseRequirements(required, "requireSession");
      const { acrs, maxAge } = requirements;
      const content = await readLive(exchange);
      const seconds = Math.floor(now() / 1000);
      const unmet =
        content && unmetRequirement(requirements, { acr: content.claims["acr"], authTime: content.authTime }, seconds, ageTolerance);
      if (content !== undefined && unmet === undefined) return toSession(content);
      if (!isForPage(exchange)) return unauthorized(unmet, requirements);
      const url = new URL(exchange.url);
      const to = new URL(at.login);
      to.searchParams.set("returnTo", returnPath(app, url.pathname + url.search));
      if (acrs.length > 0) to.searchParams.set("acr_values", acrs.join(" "));
      if (maxAge === undefined) return redirect(to, []);
      const { authTime, signIn: latest } = content ?? {};
      const isTooOld = (at: number): boolean => authTime !== undefined && at - authTime > maxAge + ageTolerance;
      const hasArrived = latest !== undefined && seconds - latest.at <= arrivalSeconds && isTooOld(latest.at);
      // The user has just come back from a sign-in, but the authentication is still too old. The first time, the browser
      // is redirected once more, with `max_age=0`. After that it gets an error page, because it could be redirected forever.
      if (hasArrived && latest.isRenewal)
        return errorPage(new SignInError("insufficient_user_authentication", "the session is too old"), to);
      to.searchParams.set("max_age", hasArrived ? "0" : String(maxAge));
      return redirect(to, []);
    },
    async getAccessToken(exchange) {
      const content = await readLive(exchange);
      if (content === undefined) return undefined;
      const left = content.accessEnds - now() / 1000;
      if (left > refreshBefore) return content.accessToken;
      return (await refresh(exchange, content))?.accessToken ?? (left > 0 ? content.accessToken : undefined);
    },
    async handle(request) {
      const url = new URL(request.url);
      const lines: string[] = [];
      const exchange: Exchange = { url: request.url, headers: request.headers, setCookie: (line) => void lines.push(line) };
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (url.pathname === at.login.pathname && isRead) {
        return redirect(await signIn(exchange, readSignIn(url.searchParams)), lines);
      }
      if (url.pathname === at.callback.pathname && request.method === "GET") {
        try {
          return redirect(await finishSignIn(exchange, url), lines);
        } catch (error) {
          if (!(error instanceof SignInError)) throw error;
          return withCookies(await (options.onError ?? ((why) => errorPage(why, at.login)))(error, request), lines);
        }
      }
      if (url.pathname === at.logout.pathname && (isRead || request.method === "POST")) {
        // A cross-site link or form must not sign the user out.
        if (!isFromApp(request, app)) return redirect(app, []);
        return redirect(await signOut(exchange), lines);
      }
      return undefined;
    },
  };
}

function readAppUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError(`createSessions: 'appUrl' is '${text}': pass the app's public URL, such as https://app.example.com/`);
  }
  const url = new URL(text);
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * Returns the name and attributes of a cookie. Browsers accept a name with `__Host-` only from the app's host, and a
 * name with `__Secure-` only over https (RFC 6265bis section 4.1.3).
 */
function cookieKind(app: URL, name: string): CookieKind {
  if (!/^[\w-]{1,64}$/.test(name)) throw new TypeError(`createSessions: 'cookieName' is '${name}': use only letters, digits, - and _`);
  const secure = app.protocol === "https:";
  const path = app.pathname === "/" ? "/" : app.pathname.replace(/\/$/, "");
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  return { name: prefix + name, attributes: `; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}` };
}

function readSignIn(parameters: URLSearchParams): SignInOptions {
  const hint = parameters.get("screen_hint");
  const locales = parameters.get("ui_locales");
  const acrs = knownAcrsOf((parameters.get("acr_values") ?? "").split(" "));
  const maxAge = parameters.get("max_age") ?? "";
  return {
    returnTo: parameters.get("returnTo"),
    ...(hint !== null && { screenHint: hint }),
    ...(locales !== null && { uiLocales: locales }),
    ...(acrs.length > 0 && { acrValues: acrs }),
    ...(/^\d{1,9}$/.test(maxAge) && { maxAgeSeconds: Number(maxAge) }),
  };
}

/**
 * The response to a script of the app without a sufficient session. @param unmet the reason; undefined if no user is
 * signed in.
 */
function unauthorized(unmet: string | undefined, { acrs, maxAge }: ParsedRequirements): Response {
  if (unmet === undefined) return Response.json({ error: "login_required", error_description: "no user is signed in" }, { status: 401 });
  const body = {
    error: "insufficient_user_authentication",
    error_description: unmet,
    ...(acrs.length > 0 && { acr_values: acrs.join(" ") }),
    ...(maxAge !== undefined && { max_age: maxAge }),
  };
  return Response.json(body, { status: 401 });
}

/** A sign-in attempt, as it is encrypted in the browser's cookie. */
interface SealedAttempt extends Attempt {
  readonly returnTo: string;
  readonly request: SignInRequest;
  /** Seconds since 1970. */
  readonly begunAt: number;
}

function readAttempt(content: { readonly [name: string]: unknown } | undefined): SealedAttempt | undefined {
  const { state, nonce, verifier, returnTo, begunAt, request: sealed } = content ?? {};
  const request = readSignInRequest(sealed);
  if (typeof state !== "string" || typeof nonce !== "string" || typeof verifier !== "string" || typeof returnTo !== "string")
    return undefined;
  return request === undefined || typeof begunAt !== "number" ? undefined : { state, nonce, verifier, returnTo, begunAt, request };
}

/** Whether the request is a page navigation of a browser, not a script's request for data. */
function isForPage({ headers }: Exchange): boolean {
  const destination = headers.get("sec-fetch-mode");
  return destination === null ? (headers.get("accept") ?? "").includes("text/html") : destination === "navigate";
}

/**
 * Whether the request comes from the app. Uses `Sec-Fetch-Site`, which every current browser sends, or else `Origin`. A
 * request without either header, such as a typed URL in an old browser, is accepted unless it is a POST.
 */
function isFromApp({ headers, method }: Request, app: URL): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || (site === "none" && method !== "POST");
  const origin = headers.get("origin");
  return origin === null ? method !== "POST" : origin === app.origin;
}

function redirect(to: URL, cookies: readonly string[]): Response {
  return withCookies(new Response(null, { status: 303, headers: { location: to.href, "cache-control": "no-store" } }), cookies);
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  const headers = new Headers(response.headers);
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(response.body, { status: response.status, headers });
}
