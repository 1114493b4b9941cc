import type { Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import type { Context, MiddlewareHandler } from "hono";

/** What `requireSession` leaves for the handlers after it. */
export interface SessionVariables {
  Variables: { session: Session };
}

/** The sessions of an app for Hono. Made by {@link toHonoSessions}. */
export interface HonoSessions {
  /** Serves the addresses of signing in and out; everything else goes on. `app.use` it before the app's own routes. */
  readonly routes: MiddlewareHandler;
  /** Lets on who is signed in, as `c.get("session")`: a page's request is sent to sign in and comes back, any other is answered 401. */
  readonly requireSession: MiddlewareHandler<SessionVariables>;
  /** Who is signed in; undefined for nobody. */
  getSession(context: Context): Promise<Session | undefined>;
  /** The access token of who is signed in, refreshed where it is about to end. */
  getAccessToken(context: Context): Promise<string | undefined>;
  /** Begins a sign-in. @returns the answer that leads there. */
  signIn(context: Context, options?: SignInOptions): Promise<Response>;
  /** Ends the session. @returns the answer that leads to the app's address. Guard the route that calls it against requests of other sites, as `routes` does its own. */
  signOut(context: Context): Promise<Response>;
}

/**
 * Sessions for Hono, on any runtime.
 * @param appUrl the app's public address, as in the options of `createSessions`: no address is made from the `Host` header.
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

  return {
    getSession: (context) => sessions.getSession(exchangeOf(context)),
    getAccessToken: (context) => sessions.getAccessToken(exchangeOf(context)),
    async routes(context, next) {
      const { method, headers } = context.req.raw;
      if (!["GET", "HEAD", "POST"].includes(method)) return next();
      return (await sessions.handle(new Request(urlOf(context, appUrl), { method, headers }))) ?? next();
    },
    async requireSession(context, next) {
      const session = await sessions.requireSession(exchangeOf(context));
      if (session instanceof Response) return session;
      context.set("session", session);
      return next();
    },
    async signIn(context, options) {
      return context.redirect((await sessions.signIn(exchangeOf(context), options)).href, 303);
    },
    async signOut(context) {
      return context.redirect((await sessions.signOut(exchangeOf(context))).href, 303);
    },
  };
}

/** The address that was asked for, below the app's own origin. */
function urlOf(context: Context, appUrl: string): string {
  const { pathname, search } = new URL(context.req.url);
  return new URL(appUrl).origin + pathname + search;
}
