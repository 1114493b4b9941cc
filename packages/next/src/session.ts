import type { AccessTokenOptions, AuthenticationRequirements, Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import { signInErrorOf } from "@postern/app/service";
import { requestedPath, type AppLocation } from "./requested-url.ts";

/**
 * The functions of Next.js that the sessions use: `headers` and `cookies` of `next/headers`, `redirect` of
 * `next/navigation`, `connection` of `next/server`.
 */
export interface NextFunctions {
  /**
   * Waits for a request. With `cacheComponents`, Next.js logs an error if a page reads the clock before `connection`
   * was awaited, and the session check reads the clock.
   */
  connection?(): Promise<void>;
  headers(): Promise<{ forEach(each: (value: string, name: string) => void): void }>;
  cookies(): Promise<{ set(name: string, value: string, options: NextCookie): unknown }>;
  /** Never returns. It throws an error that Next.js turns into a redirect. */
  redirect(url: string): never;
}

/** Attributes of a cookie, in the format of Next.js. */
export interface NextCookie {
  readonly path: string;
  readonly httpOnly: true;
  readonly sameSite: "lax";
  readonly secure: boolean;
  /** Seconds. */
  readonly maxAge: number;
}

/** The sessions of an app for Next.js 16 and later. Created by {@link toNextSessions}. */
export interface NextSessions {
  /** For the `route.ts` of the sign-in and sign-out routes: `export const { GET, POST } = auth.handlers`. */
  readonly handlers: { GET(request: Request): Promise<Response>; POST(request: Request): Promise<Response> };
  /**
   * Returns the session, or undefined if no user is signed in. For server components, server actions and route
   * handlers.
   */
  getSession(): Promise<Session | undefined>;
  /**
   * Returns the session. If no user is signed in, redirects to the sign-in, after which the browser is redirected to
   * `returnTo`. For server components and server actions.
   *
   * With requirements, such as a second factor, it does the same for a session that does not satisfy them.
   * @throws {SignInError} `insufficient_user_authentication` if a session that was just renewed is already too old;
   * `secret_mismatch` if a process with another secret has just created the session.
   * @throws {TypeError} if a requirement is invalid.
   * @example
   * const session = await auth.requireSession("/payments", { acr: acrValues.multifactor, maxAge: 300 });
   */
  requireSession(returnTo?: string, required?: AuthenticationRequirements): Promise<Session>;
  /**
   * Returns the user's access token, or undefined if it has expired or no user is signed in. Does not refresh the
   * token, because a server component cannot write cookies: call `refresh` in `proxy.ts`. With the option `store` of
   * `createSessions`, it refreshes the token itself.
   * @param options another API or organization. Requires the option `store`.
   */
  getAccessToken(options?: AccessTokenOptions): Promise<string | undefined>;
  /** Starts a sign-in and redirects to it. For server actions. */
  signIn(options?: SignInOptions): Promise<never>;
  /**
   * Ends the session and redirects to the app's URL. For server actions. Next.js itself rejects server actions that
   * another site sends.
   */
  signOut(): Promise<never>;
  /**
   * Refreshes the access token before pages are rendered, for `proxy.ts`. Set the cookies on the response and on the
   * request that the pages receive.
   * @returns `Set-Cookie` lines. Empty if the token does not need a refresh.
   */
  refresh(request: Request): Promise<readonly string[]>;
}

/**
 * Creates the handlers and functions for sessions in a Next.js app.
 *
 * @param appUrl the app's public URL, the same as the option of `createSessions`. If `next.config.ts` sets a
 * `basePath`, the URL ends with it, and `location` must contain it as well.
 * @param next the functions of Next.js.
 * @param location the location of the app. Paths that you pass, such as `returnTo`, do not contain the base path, as
 * with Next.js's own `redirect`.
 * @example
 * // lib/auth.ts
 * import { cookies, headers } from "next/headers";
 * import { redirect } from "next/navigation";
 * import { connection } from "next/server";
 * const sessions = createSessions({ postern: openPostern, … });
 * export const auth = toNextSessions(sessions, appUrl, { connection, cookies, headers, redirect });
 */
export function toNextSessions(sessions: Sessions, appUrl: string, next: NextFunctions, location: AppLocation = {}): NextSessions {
  const app = new URL(appUrl);
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    // Behind a proxy, `request.url` has the address that Next.js listens on.
    const requested = new Request(app.origin + requestedPath(pathname, location) + search, {
      method: request.method,
      headers: request.headers,
      ...(request.body !== null && { body: request.body, duplex: "half" }),
    });
    return (await sessions.handle(requested)) ?? new Response(null, { status: 404 });
  };
  const belowBase = (path: string | null): string | null => (path?.startsWith("/") ? requestedPath(path, location) : path);
  /**
   * Creates an exchange for the current request. @param lines collects the `Set-Cookie` lines. Omit it if cookies
   * cannot be written.
   */
  const exchange = async (lines?: string[]): Promise<Exchange> => {
    await next.connection?.();
    const headers = new Headers();
    (await next.headers()).forEach((value, name) => headers.append(name, value));
    return { url: app.href, headers, ...(lines !== undefined && { setCookie: (line: string) => void lines.push(line) }) };
  };
  const write = async (lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return;
    const jar = await next.cookies();
    for (const line of lines) {
      const { name, value, cookie } = readLine(line);
      jar.set(name, value, cookie);
    }
  };

  return {
    handlers: { GET: handle, POST: handle },
    getSession: async () => sessions.getSession(await exchange()),
    async requireSession(returnTo, required) {
      const { headers } = await exchange();
      // With this header, requests that are not page navigations are redirected as well, such as those that Next.js
      // sends for server components.
      headers.set("sec-fetch-mode", "navigate");
      const url = new URL(belowBase(returnTo ?? null) ?? "", app).href;
      const session = await sessions.requireSession({ url, headers }, required);
      if (!(session instanceof Response)) return session;
      const to = session.headers.get("location");
      if (to === null) throw signInErrorOf(session) ?? new TypeError("requireSession: the response is no redirect");
      return next.redirect(to);
    },
    getAccessToken: async (options) => sessions.getAccessToken(await exchange(), options),
    async signIn(options) {
      const lines: string[] = [];
      const url = await sessions.signIn(await exchange(lines), { ...options, returnTo: belowBase(options?.returnTo ?? null) });
      await write(lines);
      return next.redirect(url.href);
    },
    async signOut() {
      const lines: string[] = [];
      const url = await sessions.signOut(await exchange(lines));
      await write(lines);
      return next.redirect(url.href);
    },
    async refresh(request) {
      const lines: string[] = [];
      await sessions.getAccessToken({ url: request.url, headers: request.headers, setCookie: (line) => void lines.push(line) });
      return lines;
    },
  };
}

/** Parses a `Set-Cookie` line of `createSessions`, whose attributes are known. */
function readLine(line: string): { readonly name: string; readonly value: string; readonly cookie: NextCookie } {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  const valueOf = (name: string): string => attributes.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    cookie: {
      path: valueOf("Path"),
      httpOnly: true,
      sameSite: "lax",
      secure: attributes.includes("Secure"),
      maxAge: Number(valueOf("Max-Age")),
    },
  };
}
