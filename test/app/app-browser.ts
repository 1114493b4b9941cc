import { createSessions, type SessionOptions, type Sessions } from "@postern/app";
import { clientSecret, type TestOptions } from "../support/postern.ts";
import { openService, signInAtLoginPage, readResult, type TestAccount, type App, type LoginService } from "../support/flow.ts";
import type { Browser } from "../support/browser.ts";

export const appUrl = "https://app.example.test/";
export const secret = "an-app-secret-0123456789-abcdefghij";

/** An app that embeds a Postern service and has sessions. */
export interface AppWithSessions {
  readonly service: LoginService;
  readonly client: App;
  readonly sessions: Sessions;
  /** Opens a new browser without cookies. */
  openBrowser(): AppBrowser;
}

/** Handles a request to the app. */
export type RequestHandler = (request: Request) => Promise<Response>;

/** A browser with separate cookies for the app and for the service. */
export interface AppBrowser {
  readonly cookies: Map<string, string>;
  readonly idp: Browser;
  /** Sends a request to the app. Does not follow redirects. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Signs in through the app's login route, or through the URL `from`. @returns the response of the callback route. */
  signIn(account: TestAccount, from?: string): Promise<Response>;
  /** Completes an authorization request from the app. @returns the callback URL with its parameters. */
  authorize(url: string, account: TestAccount): Promise<string>;
}

/** Opens an app with the given pages. By default, the app has only the sign-in and sign-out routes. */
export async function openApp(
  options: Partial<SessionOptions> = {},
  pages?: (sessions: Sessions) => RequestHandler,
  serviceOptions: TestOptions = {},
): Promise<AppWithSessions> {
  const service = await openService(serviceOptions);
  const client = await service.register({
    secret: true,
    callbacks: [`${options.appUrl ?? appUrl}callback`],
    grant_types: ["authorization_code", "refresh_token"],
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
  });
  const sessions = createSessions({
    postern: service.postern,
    tenantId: "main",
    clientId: client.clientId,
    clientSecret,
    appUrl,
    secret,
    now: () => service.clock.now(),
    ...options,
  });
  const handle = pages?.(sessions) ?? (async (request) => (await sessions.handle(request)) ?? new Response("the app", { status: 200 }));
  return { service, client, sessions, openBrowser: () => openAppBrowser(service, handle, options.appUrl ?? appUrl) };
}

/** Returns the redirect that a page with a long URL stands for. Returns every other response unchanged. */
async function follow(response: Response): Promise<Response> {
  const html = response.status === 200 ? await response.clone().text() : "";
  const [, url] =
    /^<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(html) ?? [];
  if (url === undefined) return response;
  return new Response(null, { status: 303, headers: { location: url.replaceAll("&amp;", "&") } });
}

/** Opens a browser for an app whose pages `handle` serves. @param base the URL of the app. */
export function openAppBrowser(service: LoginService, handle: RequestHandler, base: string): AppBrowser {
  const cookies = new Map<string, string>();
  const idp = service.browser();
  const send: AppBrowser["send"] = async (path, init = {}) => {
    const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await handle(new Request(new URL(path, base), { ...init, headers, redirect: "manual" }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return follow(response);
  };
  const authorize: AppBrowser["authorize"] = async (url, account) => {
    const first = await readResult(await idp.get(url));
    const last = first.kind === "login" ? await signInAtLoginPage(idp, first, account) : first;
    if (last.kind !== "response") throw new Error(`no authorization response: ${JSON.stringify(last)}`);
    return `${last.to}?${new URLSearchParams(last.parameters)}`;
  };
  return {
    cookies,
    idp,
    send,
    authorize,
    async signIn(account, from = "/login") {
      const started = await send(from);
      return send(await authorize(started.headers.get("location") ?? "", account));
    },
  };
}
