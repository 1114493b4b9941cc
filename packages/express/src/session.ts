import type { ServerResponse } from "node:http";
import type { Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import type { ExpressHandler, ExpressRequest } from "./express.ts";
import { headersOf, send } from "./to-web.ts";

/** The sessions of an app for Express 4 and 5. Made by {@link toExpressSessions}. */
export interface ExpressSessions {
  /** Serves the addresses of signing in and out; everything else goes on. `app.use` it before the app's own routes. */
  readonly routes: ExpressHandler;
  /** Lets on who is signed in: a page's request is sent to sign in and comes back, any other is answered 401. What it found is what `getSession` answers for this request. */
  readonly requireSession: ExpressHandler;
  /** Who is signed in; undefined for nobody. It asks once a request. */
  getSession(request: ExpressRequest, response: ServerResponse): Promise<Session | undefined>;
  /** The access token of who is signed in, refreshed where it is about to end. Call it before the answer's headers are sent. */
  getAccessToken(request: ExpressRequest, response: ServerResponse): Promise<string | undefined>;
  /** Begins a sign-in and answers the request with the way there. */
  signIn(request: ExpressRequest, response: ServerResponse, options?: SignInOptions): Promise<void>;
  /** Ends the session and answers the request with the way to the app's address. Guard the route that calls it against requests of other sites, as `routes` does its own. */
  signOut(request: ExpressRequest, response: ServerResponse): Promise<void>;
}

/**
 * Sessions for Express 4 and 5.
 * @param appUrl the app's public address, as in the options of `createSessions`: no address is made from the `Host` header.
 *
 * @example
 * const auth = toExpressSessions(createSessions({ postern, tenantId, clientId, clientSecret, appUrl, secret }), appUrl);
 * app.use(auth.routes);
 * app.get("/me", auth.requireSession, async (request, response) => {
 *   response.json((await auth.getSession(request, response))?.user);
 * });
 */
export function toExpressSessions(sessions: Sessions, appUrl: string): ExpressSessions {
  const found = new WeakMap<ExpressRequest, Promise<Session | undefined>>();
  const exchangeOf = (request: ExpressRequest, response: ServerResponse): Exchange => ({
    url: urlOf(request, appUrl),
    headers: headersOf(request),
    setCookie: (line) => void response.appendHeader("set-cookie", line),
  });
  const getSession: ExpressSessions["getSession"] = (request, response) => {
    let session = found.get(request);
    if (session === undefined) {
      session = sessions.getSession(exchangeOf(request, response));
      found.set(request, session);
    }
    return session;
  };
  const sendTo = (url: URL, response: ServerResponse): void => {
    response.writeHead(303, { location: url.href, "cache-control": "no-store" }).end();
  };

  return {
    getSession,
    routes(request, response, next) {
      const { method = "GET" } = request;
      if (!["GET", "HEAD", "POST"].includes(method)) return next();
      sessions
        .handle(new Request(urlOf(request, appUrl), { method, headers: headersOf(request) }))
        .then((answer) => (answer === undefined ? next() : send(answer, response)))
        .catch(next);
    },
    requireSession(request, response, next) {
      getSession(request, response)
        .then(async (session) => {
          if (session !== undefined) return next();
          const answer = await sessions.requireSession(exchangeOf(request, response));
          return answer instanceof Response ? send(answer, response) : next();
        })
        .catch(next);
    },
    getAccessToken: (request, response) => sessions.getAccessToken(exchangeOf(request, response)),
    async signIn(request, response, options) {
      sendTo(await sessions.signIn(exchangeOf(request, response), options), response);
    },
    async signOut(request, response) {
      sendTo(await sessions.signOut(exchangeOf(request, response)), response);
    },
  };
}

/** The address that was asked for, below the app's own origin. */
function urlOf(request: ExpressRequest, appUrl: string): string {
  const path = request.originalUrl ?? request.url ?? "/";
  const { origin } = new URL(appUrl);
  return path.startsWith("/") && URL.canParse(origin + path) ? origin + path : origin;
}
