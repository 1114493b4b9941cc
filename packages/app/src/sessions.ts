import type { TenantApi } from "@postern/core/api";
import { writeLogEntry } from "@postern/core/glue";
import { accountPageUrl } from "./account-url.ts";
import { cookieKind, isSamePath, readAppUrl, readPaths } from "./app-location.ts";
import { createAttempts } from "./attempts.ts";
import { createCookieSessions } from "./cookie-sessions.ts";
import { changeCookies, CookieChanges } from "./cookies.ts";
import { errorPage } from "./error-page.ts";
import { liveConnection } from "./live-connection.ts";
import { createLogoutTokens } from "./logout-tokens.ts";
import { createProvider, type Provider } from "./provider.ts";
import { parseRequirements, unmetRequirement } from "./requirements.ts";
import { isForPage, isFromApp, redirect, redirectByPage, unauthorized, withCookies } from "./responses.ts";
import { returnPath } from "./return-to.ts";
import { createSeal } from "./seal.ts";
import { toService } from "./service-source.ts";
import { toSession, type Content } from "./session.ts";
import type { Exchange, SessionOptions, Sessions, SignInOptions } from "./session-options.ts";
import type { PresentedSession, SessionStorage } from "./session-storage.ts";
import { rememberSignInError, SignInError } from "./sign-in-error.ts";
import { knownAcrsOf } from "./sign-in-request.ts";
import { createSignIns, secretMismatch } from "./sign-ins.ts";
import { withStoreTimeouts } from "./store-timeouts.ts";
import { createStoredSessions } from "./stored-sessions.ts";

/** Seconds by which an authentication may be older than required: `auth_time` has no fractions. */
const ageTolerance = 5;

/** Seconds in which a page request counts as the end of the sign-in that redirected to the page. */
const arrivalSeconds = 60;

/** The codes of errors that the operator must fix. */
const setupErrors = ["secret_mismatch", "session_too_large"];

/**
 * Creates the sessions of an app that embeds Postern. The app is an OpenID Connect client of the tenant (authorization
 * code with PKCE), and sends its requests in process. Browsers store the tokens encrypted, in `HttpOnly` cookies. With
 * the option `store`, the server stores them, and the cookie contains a random id.
 * @throws {TypeError} if an option is invalid.
 *
 * @example
 * const sessions = createSessions({ postern, tenantId: "main", clientId: "web", clientSecret, appUrl: "https://app.example.com/", secret });
 * const response = (await sessions.handle(request)) ?? (await app(request));
 */
export function createSessions(options: SessionOptions): Sessions {
  const { tenantId, clientId, scope = "openid profile email offline_access", lifetimeSeconds = 604_800, now = Date.now } = options;
  const app = readAppUrl(options.appUrl);
  const at = readPaths(app, options.paths);
  const secrets = typeof options.secret === "string" ? [options.secret] : options.secret;
  const seal = (use: string) => createSeal(secrets, { purpose: `${use} ${JSON.stringify([tenantId, clientId])}`, appUrl: app.href }, now);
  const kind = cookieKind(app, options.cookieName ?? "app_session");
  const { store } = options;
  const attempts = createAttempts(kind, seal("sign-in"), store && scope);
  const service = toService(options.postern);
  let providerPromise: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    providerPromise ??= service().then((opened) => createProvider(opened, { clientId, clientSecret: options.clientSecret, now }));
    providerPromise.catch(() => (providerPromise = undefined));
    return providerPromise;
  };
  const api = async (scopes: Parameters<Provider["service"]["tenant"]>[1] = {}): Promise<TenantApi> =>
    (await service()).tenant(tenantId, { name: clientId, ...scopes });
  const connectionOf = async ({ claims, sid }: Content, inOrganization = claims["org_id"]): Promise<string | undefined> => {
    const organizationId = typeof inOrganization === "string" ? inOrganization : undefined;
    const checks = await api({ scopes: ["read:sessions", "read:organization_members"] });
    return liveConnection(checks, { userId: claims.sub, sessionId: sid, clientId, organizationId });
  };
  const report = async ({ code, message, cause }: SignInError): Promise<void> => {
    const details = { tenant_id: tenantId, client_id: clientId, code, detail: message, ...(cause !== undefined && { error: cause }) };
    writeLogEntry(await service(), { level: setupErrors.includes(code) ? "error" : "warn", event: "sign_in_failed", ...details });
  };
  const storage = ((): SessionStorage => {
    if (store === undefined) return createCookieSessions({ kind, seal: seal("session"), attempts, now, provider, report });
    return createStoredSessions({
      kind,
      seal: seal("stored session"),
      attempts,
      store: withStoreTimeouts(store),
      tenantId,
      clientId,
      audience: options.audience,
      now,
      provider,
      isMember: async (content, organizationId) => (await connectionOf(content, organizationId)) !== undefined,
    });
  })();
  const receiveLogout = store && createLogoutTokens({ postern: options.postern, tenantId, clientId, store: withStoreTimeouts(store), now });
  const signIns = createSignIns({
    options: { ...options, scope, lifetimeSeconds },
    app,
    callback: at.callback,
    attempts,
    storage,
    now,
    provider,
    connectionOf,
  });

  const readLive = async (exchange: Exchange): Promise<PresentedSession | undefined> => {
    const sessions = await storage.read(exchange.headers.get("cookie"));
    for (const session of sessions) if ((await connectionOf(session.content)) !== undefined) return session;
    if (sessions.length > 0) await storage.discard(exchange, sessions);
    return undefined;
  };

  const respondToError = async (error: SignInError, request: Request, retry: URL): Promise<Response> => {
    await report(error);
    const response = (await options.onError?.(error, request)) ?? errorPage(error, retry);
    rememberSignInError(response, error);
    return response;
  };

  /**
   * Returns the error for a session that a process with another secret has just created. A sign-in would not help: the
   * browser would be redirected forever.
   */
  const foreignSession = async ({ headers }: Exchange): Promise<SignInError | undefined> => {
    const createdAt = await storage.createdElsewhere(headers.get("cookie"));
    const isRecent = createdAt !== undefined && Math.abs(now() / 1000 - createdAt) <= arrivalSeconds;
    return isRecent ? secretMismatch("the session in the browser's cookie was encrypted by") : undefined;
  };

  const signOut = async (exchange: Exchange): Promise<URL> => {
    const sessions = await storage.read(exchange.headers.get("cookie"));
    await storage.end(exchange, sessions);
    const { sessions: ofTenant } = await api({ scopes: ["delete:sessions"] });
    for (const sid of new Set(sessions.map(({ content }) => content.sid))) await ofTenant.delete(sid, { initiator: "rp-logout" });
    return app;
  };

  /**
   * Redirects to the URL that a function returns. If the function throws a `SignInError`, responds with an error page.
   */
  const redirectOrFail = async (
    request: Request,
    run: (changes: CookieChanges, header: string | null) => Promise<URL>,
    respond = redirect,
  ): Promise<Response> => {
    const header = request.headers.get("cookie");
    const changes = new CookieChanges(header, kind);
    try {
      return respond(await run(changes, header), changes.lines());
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      return withCookies(await respondToError(error, request, at.login), changes.lines());
    }
  };

  return {
    async getSession(exchange) {
      const session = await readLive(exchange);
      return session && toSession(session.content);
    },
    signIn: (exchange, signInOptions = {}) =>
      changeCookies(kind, exchange, (changes, header) => signIns.start(changes, header, signInOptions)),
    signOut,
    account: {
      url: async (linked = {}) => accountPageUrl({ issuer: (await service()).issuer, clientId, app }, linked),
    },
    async requireSession(exchange, required = {}) {
      const requirements = parseRequirements(required, "requireSession");
      const { acrs, maxAge } = requirements;
      const content = (await readLive(exchange))?.content;
      const seconds = Math.floor(now() / 1000);
      const unmet =
        content && unmetRequirement(requirements, { acr: content.claims["acr"], authTime: content.authTime }, seconds, ageTolerance);
      if (content !== undefined && unmet === undefined) return toSession(content);
      if (!isForPage(exchange)) return unauthorized(unmet, requirements);
      const url = new URL(exchange.url);
      const to = new URL(at.login);
      to.searchParams.set("returnTo", returnPath(app, url.pathname + url.search));
      const fail = (error: SignInError): Promise<Response> =>
        respondToError(error, new Request(exchange.url, { headers: exchange.headers }), to);
      const foreign = content === undefined ? await foreignSession(exchange) : undefined;
      if (foreign !== undefined) return fail(foreign);
      if (acrs.length > 0) to.searchParams.set("acr_values", acrs.join(" "));
      if (maxAge === undefined) return redirect(to, []);
      const { authTime, signIn: latest } = content ?? {};
      const isTooOld = (time: number): boolean => authTime !== undefined && time - authTime > maxAge + ageTolerance;
      const hasArrived = latest !== undefined && seconds - latest.at <= arrivalSeconds && isTooOld(latest.at);
      // The user has just come back from a sign-in, but the authentication is still too old. The first time, the browser
      // is redirected once more, with `max_age=0`. After that it gets an error page, because it could be redirected forever.
      if (hasArrived && latest.isRenewal)
        return fail(new SignInError("insufficient_user_authentication", "the session was just renewed, and is already too old"));
      to.searchParams.set("max_age", hasArrived ? "0" : String(maxAge));
      return redirect(to, []);
    },
    async getAccessToken(exchange, requested = {}) {
      if (store === undefined && (requested.audience !== undefined || requested.organization !== undefined))
        throw new TypeError("getAccessToken: 'audience' and 'organization' require the option 'store' of createSessions");
      const session = await readLive(exchange);
      return session && storage.accessToken(exchange, session, requested);
    },
    async handle(request) {
      const url = new URL(request.url);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (isSamePath(url, at.login) && isRead) {
        const start = async (changes: CookieChanges, header: string | null): Promise<URL> => {
          const foreign = (await storage.read(header)).length === 0 ? await foreignSession(request) : undefined;
          if (foreign !== undefined) throw foreign;
          return signIns.start(changes, header, readSignIn(url.searchParams, options.organization));
        };
        return redirectOrFail(request, start, store && redirectByPage);
      }
      if (isSamePath(url, at.callback) && request.method === "GET")
        return redirectOrFail(request, (changes, header) => signIns.finish(changes, header, url));
      if (isSamePath(url, at.logout) && (isRead || request.method === "POST")) {
        // A cross-site link or form must not sign the user out.
        if (!isFromApp(request, app)) return redirect(app, []);
        const lines: string[] = [];
        const to = await signOut({ url: request.url, headers: request.headers, setCookie: (line) => void lines.push(line) });
        return redirect(to, lines);
      }
      if (receiveLogout !== undefined && isSamePath(url, at.backchannelLogout) && request.method === "POST") return receiveLogout(request);
      return undefined;
    },
  };
}

/** Reads the query of the sign-in route. @param required the organization of the options: a link cannot replace it. */
function readSignIn(parameters: URLSearchParams, required: string | undefined): SignInOptions {
  const invitation = parameters.get("invitation");
  const organization = parameters.get("organization");
  const hint = parameters.get("screen_hint");
  const locales = parameters.get("ui_locales");
  const acrs = knownAcrsOf((parameters.get("acr_values") ?? "").split(" "));
  const maxAge = parameters.get("max_age") ?? "";
  return {
    returnTo: parameters.get("returnTo"),
    ...(invitation !== null && { invitation }),
    ...(invitation !== null && organization !== null && required === undefined && { organization: organization.slice(0, 100) }),
    ...(hint !== null && { screenHint: hint }),
    ...(locales !== null && { uiLocales: locales }),
    ...(acrs.length > 0 && { acrValues: acrs }),
    ...(/^\d{1,9}$/.test(maxAge) && { maxAgeSeconds: Number(maxAge) }),
  };
}
