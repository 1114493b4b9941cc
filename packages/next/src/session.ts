import type { Exchange, Session, Sessions, SignInOptions } from "@postern/app";
import { askedPath, type AppPlace } from "./as-asked.ts";

/** What of Next.js the sessions use: `headers` and `cookies` of `next/headers`, `redirect` of `next/navigation`, `connection` of `next/server`. */
export interface NextFunctions {
  /** Waits for a request. With `cacheComponents` a page that looks at the clock before that is an error in the log: whether a session is over is such a look. */
  connection?(): Promise<void>;
  headers(): Promise<{ forEach(each: (value: string, name: string) => void): void }>;
  cookies(): Promise<{ set(name: string, value: string, options: NextCookie): unknown }>;
  /** Never returns: it throws what Next.js turns into a redirect. */
  redirect(url: string): never;
}

/** Attributes of a cookie, as Next.js takes them. */
export interface NextCookie {
  readonly path: string;
  readonly httpOnly: true;
  readonly sameSite: "lax";
  readonly secure: boolean;
  /** Seconds. */
  readonly maxAge: number;
}

/** The sessions of an app for Next.js 16 and later. Made by {@link toNextSessions}. */
export interface NextSessions {
  /** For the `route.ts` of the app's addresses of signing in and out: `export const { GET, POST } = auth.handlers`. */
  readonly handlers: { GET(request: Request): Promise<Response>; POST(request: Request): Promise<Response> };
  /** Who is signed in; undefined for nobody. For server components, server actions and route handlers. */
  getSession(): Promise<Session | undefined>;
  /** The session; somebody without one is sent to sign in and comes back to `returnTo`. For server components and server actions. */
  requireSession(returnTo?: string): Promise<Session>;
  /** The access token of who is signed in. Server actions, route handlers and `proxy.ts` refresh one that is about to end; a server component cannot write cookies and gets the one that is there. */
  getAccessToken(): Promise<string | undefined>;
  /** A server action that begins a sign-in. */
  signIn(options?: SignInOptions): Promise<never>;
  /** A server action that ends the session. Next.js itself refuses server actions of other sites. */
  signOut(): Promise<never>;
  /**
   * For `proxy.ts`: refreshes the access token before pages are rendered. Its cookies are for the answer, and for the request that the pages see.
   * @returns `Set-Cookie` lines, often none.
   */
  refresh(request: Request): Promise<readonly string[]>;
}

/**
 * Sessions for Next.js.
 *
 * @param appUrl as `createSessions` got it; with a `basePath` in `next.config.ts` it ends in that, and `place` says it too.
 * @param next what Next.js gives.
 * @param place where the app is. Paths in code go without its base path, as those of Next.js's own `redirect` do.
 * @example
 * // lib/auth.ts
 * import { cookies, headers } from "next/headers";
 * import { redirect } from "next/navigation";
 * import { connection } from "next/server";
 * export const auth = toNextSessions(createSessions({ postern: openPostern, … }), appUrl, { connection, cookies, headers, redirect });
 */
export function toNextSessions(sessions: Sessions, appUrl: string, next: NextFunctions, place: AppPlace = {}): NextSessions {
  const app = new URL(appUrl);
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    // Behind a proxy Next.js tells the address it listens on.
    const own = new Request(app.origin + askedPath(pathname, place) + search, { method: request.method, headers: request.headers });
    return (await sessions.handle(own)) ?? new Response(null, { status: 404 });
  };
  const belowBase = (path: string | null): string | null => (path?.startsWith("/") ? askedPath(path, place) : path);
  /** @param lines where cookies are collected; left out where none can be written. */
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
    async requireSession(returnTo) {
      const { headers } = await exchange();
      // Whatever Next.js asks with, the way to sign in is for a person.
      headers.set("sec-fetch-mode", "navigate");
      const session = await sessions.requireSession({ url: new URL(belowBase(returnTo ?? null) ?? "", app).href, headers });
      return session instanceof Response ? next.redirect(session.headers.get("location") ?? app.href) : session;
    },
    getAccessToken: async () => sessions.getAccessToken(await exchange()),
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

/** Our own lines, whose attributes are known. */
function readLine(line: string): { readonly name: string; readonly value: string; readonly cookie: NextCookie } {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  const of = (name: string): string => attributes.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    cookie: { path: of("Path"), httpOnly: true, sameSite: "lax", secure: attributes.includes("Secure"), maxAge: Number(of("Max-Age")) },
  };
}
