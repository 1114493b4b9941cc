import { createSessions, type SessionOptions, type Sessions } from "@postern/app";
import { clientSecret } from "../support/postern.ts";
import { openService, signIn, readResult, type Account, type App, type LoginService } from "../support/flow.ts";
import type { Browser } from "../support/browser.ts";

export const appUrl = "https://app.example.test/";
export const secret = "an-app-secret-0123456789-abcdefghij";

/** An app with sessions of its own, which embeds a service. */
export interface AppWithSessions {
  readonly service: LoginService;
  readonly client: App;
  readonly sessions: Sessions;
  /** Somebody with a browser of their own. */
  person(): PersonInApp;
}

/** Answers a request to the app. */
export type Answers = (request: Request) => Promise<Response>;

/** A browser at the app, with another set of cookies at the service. */
export interface PersonInApp {
  readonly cookies: Map<string, string>;
  readonly idp: Browser;
  /** Asks the app; a redirect is not followed. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Signs in by the app's address of signing in. @returns the answer to the callback. */
  signIn(account: Account, from?: string): Promise<Response>;
  /** Where an authorization request ends that the app sent: the callback with its parameters. */
  through(authorize: string, account: Account): Promise<string>;
}

/** Opens an app whose pages are `answers`; left out, it has its sessions alone. */
export async function openApp(options: Partial<SessionOptions> = {}, answers?: (sessions: Sessions) => Answers): Promise<AppWithSessions> {
  const service = await openService();
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
  const answer = answers?.(sessions) ?? (async (request) => (await sessions.handle(request)) ?? new Response("the app", { status: 200 }));
  return { service, client, sessions, person: () => openPerson(service, answer, options.appUrl ?? appUrl) };
}

function openPerson(service: LoginService, answer: Answers, base: string): PersonInApp {
  const cookies = new Map<string, string>();
  const idp = service.browser();
  const ask: PersonInApp["ask"] = async (path, init = {}) => {
    const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await answer(new Request(new URL(path, base), { ...init, headers, redirect: "manual" }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  const through: PersonInApp["through"] = async (authorize, account) => {
    const given = await readResult(await idp.get(authorize));
    const reached = given.kind === "login" ? await signIn(idp, given, account) : given;
    if (reached.kind !== "response") throw new Error(`no answer: ${JSON.stringify(reached)}`);
    return `${reached.to}?${new URLSearchParams(reached.parameters)}`;
  };
  return {
    cookies,
    idp,
    ask,
    through,
    async signIn(account, from = "/login") {
      const begun = await ask(from);
      return ask(await through(begun.headers.get("location") ?? "", account));
    },
  };
}
