import type { AccessTokenOptions, AuthenticationRequirements, Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import { checkSessionRequirements, lazyBody } from "@postern/app/service";
import type { Context, MiddlewareHandler, Next } from "hono";
import { unreadRequest } from "./unread-request.ts";

/** The variables that `requireSession` sets for later handlers. */
export interface SessionVariables {
  Variables: { session: Session };
}

/** A handler that requires a session. With requirements, a function that creates such a handler. */
export interface HonoRequireSession {
  /**
   * Creates a handler that requires a session in which the user authenticated as required.
   * @throws {TypeError} if a requirement is invalid.
   * @example
   * app.get("/payments", auth.requireSession({ acr: acrValues.multifactor, maxAge: 300 }), (c) => c.text("paid"));
   */
  (required: AuthenticationRequirements): MiddlewareHandler<SessionVariables>;
  (...parameters: Parameters<MiddlewareHandler<SessionVariables>>): ReturnType<MiddlewareHandler<SessionVariables>>;
}

/** The sessions of an app for Hono. Created by {@link toHonoSessions}. */
export interface HonoSessions {
  /**
   * Serves the sign-in and sign-out routes. Other requests go to the next handler. `app.use` it before the app's
   * routes.
   */
  readonly routes: MiddlewareHandler;
  /**
   * Requires a session, and sets it as `c.get("session")`. Without one, redirects a page request to the sign-in, after
   * which the browser returns to the page. Responds to any other request without a session with 401. With
   * requirements, such as a second factor, it does the same for a session that does not satisfy them, and responds with
   * 403 if the user cannot satisfy them.
   */
  readonly requireSession: HonoRequireSession;
  /** Returns the session, or undefined if no user is signed in. */
  getSession(context: Context): Promise<Session | undefined>;
  /**
   * Returns the user's access token, refreshed if it is about to expire.
   * @param options another API or organization. Requires the option `store` of `createSessions`.
   */
  getAccessToken(context: Context, options?: AccessTokenOptions): Promise<string | undefined>;
  /** Starts a sign-in. @returns the redirect to it. */
  signIn(context: Context, options?: SignInOptions): Promise<Response>;
  /**
   * Ends the session. Reject cross-site requests in the route that calls it, as `routes` does.
   * @returns the redirect to the app's URL.
   */
  signOut(context: Context): Promise<Response>;
}

/**
 * Creates the handlers and functions for sessions in a Hono app, on any runtime.
 * @param appUrl the app's public URL, the same as the option of `createSessions`. The `Host` header is not used.
 *
 * @example
 * const auth = toHonoSessions(createSessions({ postern, tenantId, clientId, clientSecret, appUrl, secret }), appUrl);
 * app.use(auth.routes);
 * app.get("/me", auth.requireSession, (c) => c.json(c.get("session").user));
 */
export function toHonoSessions(sessions: Sessions, appUrl: string): HonoSessions {
  const exchangeOf = (context: Context): Exchange => ({
    url: urlOf(context, appUrl),
    headers: context.req.raw.headers,
    setCookie: (line) => context.header("set-cookie", line, { append: true }),
  });

  const sessionHandler =
    (required?: AuthenticationRequirements): MiddlewareHandler<SessionVariables> =>
    async (context, next) => {
      const session = await sessions.requireSession(exchangeOf(context), required);
      if (session instanceof Response) return session;
      context.set("session", session);
      return next();
    };
  const anySession = sessionHandler();
  function requireSession(required: AuthenticationRequirements): MiddlewareHandler<SessionVariables>;
  function requireSession(context: Context<SessionVariables>, next: Next): ReturnType<MiddlewareHandler<SessionVariables>>;
  function requireSession(
    ...parameters: readonly [AuthenticationRequirements] | Parameters<MiddlewareHandler<SessionVariables>>
  ): MiddlewareHandler<SessionVariables> | ReturnType<MiddlewareHandler<SessionVariables>> {
    if (parameters.length !== 1) return anySession(...parameters);
    const [required] = parameters;
    checkSessionRequirements(required);
    return sessionHandler(required);
  }

  return {
    getSession: (context) => sessions.getSession(exchangeOf(context)),
    getAccessToken: (context, options) => sessions.getAccessToken(exchangeOf(context), options),
    async routes(context, next) {
      const { method, headers } = context.req.raw;
      if (!["GET", "HEAD", "POST"].includes(method)) return next();
      return (
        (await sessions.handle(
          new Request(urlOf(context, appUrl), { method, headers, ...(method === "POST" && lazyBody(() => bodyOf(context))) }),
        )) ?? next()
      );
    },
    requireSession,
    async signIn(context, options) {
      return context.redirect((await sessions.signIn(exchangeOf(context), options)).href, 303);
    },
    async signOut(context) {
      return context.redirect((await sessions.signOut(exchangeOf(context))).href, 303);
    },
  };
}

/** Reads the body of a request, through Hono's cache, so that later handlers can read it as well. */
async function* bodyOf(context: Context): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new Uint8Array(await (await unreadRequest(context)).arrayBuffer());
}

/** Returns the requested URL, with the app's origin. */
function urlOf(context: Context, appUrl: string): string {
  const { pathname, search } = new URL(context.req.url);
  return new URL(appUrl).origin + pathname + search;
}
