import type { ServerResponse } from "node:http";
import type { AccessTokenOptions, AuthenticationRequirements, Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import { checkSessionRequirements, lazyBody } from "@postern/app/service";
import type { ExpressHandler, ExpressRequest } from "./express.ts";
import { bodyOf, headersOf, writeResponse } from "./to-web.ts";

/** A handler that requires a session. With requirements, a function that creates such a handler. */
export interface ExpressRequireSession {
  /**
   * Creates a handler that requires a session in which the user authenticated as required.
   * @throws {TypeError} if a requirement is invalid.
   * @example
   * app.get("/payments", auth.requireSession({ acr: acrValues.multifactor, maxAge: 300 }), showPayments);
   */
  (required: AuthenticationRequirements): ExpressHandler;
  (...parameters: Parameters<ExpressHandler>): void;
}

/** The sessions of an app for Express 4 and 5. Created by {@link toExpressSessions}. */
export interface ExpressSessions {
  /**
   * Serves the sign-in and sign-out routes. Other requests go to the next handler. `app.use` it before the app's
   * routes.
   */
  readonly routes: ExpressHandler;
  /**
   * Requires a session. Without one, redirects a page request to the sign-in, after which the browser returns to the
   * page. Responds to any other request without a session with 401. `getSession` returns the same session for this
   * request. With requirements, such as a second factor, it does the same for a session that does not satisfy them, and
   * responds with 403 if the user cannot satisfy them.
   */
  readonly requireSession: ExpressRequireSession;
  /** Returns the session, or undefined if no user is signed in. Checks the session at the tenant once per request. */
  getSession(request: ExpressRequest, response: ServerResponse): Promise<Session | undefined>;
  /**
   * Returns the user's access token, refreshed if it is about to expire. Call it before the response headers are sent.
   * @param options another API or organization. Requires the option `store` of `createSessions`.
   */
  getAccessToken(request: ExpressRequest, response: ServerResponse, options?: AccessTokenOptions): Promise<string | undefined>;
  /** Starts a sign-in and responds with a redirect to it. */
  signIn(request: ExpressRequest, response: ServerResponse, options?: SignInOptions): Promise<void>;
  /**
   * Ends the session and responds with a redirect to the app's URL. Reject cross-site requests in the route that calls
   * it, as `routes` does.
   */
  signOut(request: ExpressRequest, response: ServerResponse): Promise<void>;
}

/**
 * Creates the handlers and functions for sessions in an Express 4 or 5 app.
 * @param appUrl the app's public URL, the same as the option of `createSessions`. The `Host` header is not used.
 *
 * @example
 * const sessions = createSessions({ postern, tenantId, clientId, clientSecret, appUrl, secret });
 * const auth = toExpressSessions(sessions, appUrl);
 * app.use(auth.routes);
 * app.get("/me", auth.requireSession, async (request, response) => {
 *   response.json((await auth.getSession(request, response))?.user);
 * });
 */
export function toExpressSessions(sessions: Sessions, appUrl: string): ExpressSessions {
  const sessionsByRequest = new WeakMap<ExpressRequest, Promise<Session | undefined>>();
  const exchangeOf = (request: ExpressRequest, response: ServerResponse): Exchange => ({
    url: urlOf(request, appUrl),
    headers: headersOf(request),
    setCookie: (line) => void response.appendHeader("set-cookie", line),
  });
  const getSession: ExpressSessions["getSession"] = (request, response) => {
    let session = sessionsByRequest.get(request);
    if (session === undefined) {
      session = sessions.getSession(exchangeOf(request, response));
      sessionsByRequest.set(request, session);
    }
    return session;
  };
  const sessionHandler =
    (required?: AuthenticationRequirements): ExpressHandler =>
    (request, response, next) => {
      getSession(request, response)
        .then(async (session) => {
          if (session !== undefined && required === undefined) return next();
          const appResponse = await sessions.requireSession(exchangeOf(request, response), required);
          return appResponse instanceof Response ? writeResponse(appResponse, response) : next();
        })
        .catch(next);
    };
  const anySession = sessionHandler();
  function requireSession(required: AuthenticationRequirements): ExpressHandler;
  function requireSession(...parameters: Parameters<ExpressHandler>): void;
  function requireSession(...parameters: readonly [AuthenticationRequirements] | Parameters<ExpressHandler>): ExpressHandler | void {
    if (parameters.length !== 1) return anySession(...parameters);
    const [required] = parameters;
    checkSessionRequirements(required);
    return sessionHandler(required);
  }
  const sendTo = (url: URL, response: ServerResponse): void => {
    response.writeHead(303, { location: url.href, "cache-control": "no-store" }).end();
  };

  return {
    getSession,
    routes(request, response, next) {
      const { method = "GET" } = request;
      if (!["GET", "HEAD", "POST"].includes(method)) return next();
      sessions
        .handle(
          new Request(urlOf(request, appUrl), {
            method,
            headers: headersOf(request),
            ...(method === "POST" && lazyBody(() => bodyOf(request))),
          }),
        )
        .then((appResponse) => (appResponse === undefined ? next() : writeResponse(appResponse, response)))
        .catch(next);
    },
    requireSession,
    getAccessToken: (request, response, options) => sessions.getAccessToken(exchangeOf(request, response), options),
    async signIn(request, response, options) {
      sendTo(await sessions.signIn(exchangeOf(request, response), options), response);
    },
    async signOut(request, response) {
      sendTo(await sessions.signOut(exchangeOf(request, response)), response);
    },
  };
}

/** Returns the requested URL, with the app's origin. */
function urlOf(request: ExpressRequest, appUrl: string): string {
  const path = request.originalUrl ?? request.url ?? "/";
  const { origin } = new URL(appUrl);
  return path.startsWith("/") && URL.canParse(origin + path) ? origin + path : origin;
}
