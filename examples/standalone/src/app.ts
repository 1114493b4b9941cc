import { randomBytes } from "node:crypto";
import type { Postern } from "@postern/core";
import { createDemo } from "./demo/demo.ts";
import { createProvider } from "./demo/provider.ts";
import type { DemoClients } from "./demo/clients.ts";
import type { FirstUser } from "./demo/first-user.ts";
import type { DevPages } from "./dev-pages.ts";
import type { Inbox } from "./inbox.ts";
import type { Log } from "./log.ts";
import { homePage, plainHomePage, type HomeFacts } from "./pages/home.ts";
import { inboxPage, messageList } from "./pages/inbox.ts";
import type { Page } from "./pages/layout.ts";
import { missingPage } from "./pages/missing.ts";
import type { Handler } from "./server.ts";

/** What {@link createApp} puts together. */
export interface AppParts {
  readonly postern: Postern;
  readonly inbox: Inbox;
  readonly log: Log;
  /** Who is shown the demo and the inbox. */
  readonly devPages: DevPages;
  /** The clients that the demo signs people in with. */
  readonly clients: DemoClients;
  /** Whether the demo has an identity provider. */
  readonly hasProvider: boolean;
  readonly firstUser: FirstUser;
  readonly facts: Omit<HomeFacts, "issuer" | "basePath" | "messages" | "user" | "hasProvider">;
}

/** Postern, and beside it the two pages of this example with the demo login: the one at the issuer's own address, and everything below `dev/`. */
export function createApp({ postern, inbox, log, devPages, clients, hasProvider, firstUser, facts }: AppParts): Handler {
  const { pathname: basePath, origin } = new URL(postern.issuer);
  const demo = createDemo({ postern, clients, log });
  const provider = hasProvider ? createProvider(`${postern.issuer}dev/provider/`, `${postern.issuer}login/callback`) : undefined;
  return async (request, extra) => {
    const { pathname } = new URL(request.url);
    const isOwn = pathname === basePath || `${pathname}/` === basePath || pathname.startsWith(`${basePath}dev/`);
    if (!isOwn) return postern.fetch(request, extra);

    const began = Date.now();
    const response = await answer(request, pathname.slice(basePath.length));
    const { method } = request;
    log.log({ level: "info", event: "request", method, path: pathname, status: response.status, duration_ms: Date.now() - began });
    return response;
  };

  async function answer(request: Request, path: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (`${pathname}/` === basePath) return new Response(null, { status: 308, headers: { location: basePath } });
    const shown = devPages.areFor(request.headers);
    if (!shown && path !== "") return nothing(request);
    if (provider !== undefined && path.startsWith("dev/provider/")) {
      const answered = await provider(request, path.slice("dev/provider/".length));
      return answered === undefined ? nothing(request) : answered instanceof Response ? answered : show(request, answered);
    }
    const action = path.startsWith("dev/demo/") ? demo.actions.get(path.slice("dev/demo/".length)) : undefined;
    const allowed = action === undefined ? ["GET", "HEAD"] : ["POST"];
    if (!allowed.includes(request.method)) return new Response(null, { status: 405, headers: { allow: allowed.join(", ") } });
    if (action !== undefined) return action(request);
    const asksForJson = request.headers.get("accept")?.includes("application/json") === true;
    // Who is not shown the pages for development learns that the server runs, and nobody's name.
    if (!shown) return show(request, plainHomePage(basePath));
    switch (path) {
      case "":
        // A code is good once: not for somebody who only asks for the headers.
        if (request.method === "GET" && (searchParams.has("code") || searchParams.has("error"))) return demo.finish(request);
        return showHome(request);
      case "dev/inbox":
        return asksForJson ? Response.json(inbox.list(), { headers: privately }) : showInbox(request);
      default:
        return nothing(request);
    }
  }

  async function showHome(request: Request): Promise<Response> {
    const user = await firstUser.show(devPages.isLocal(request.headers));
    const view = await demo.view(request);
    return show(request, homePage({ ...facts, user, issuer: postern.issuer, basePath, messages: inbox.list().length, hasProvider }, view));
  }

  function showInbox(request: Request): Response {
    const version = inbox.version();
    if (request.headers.get("if-none-match") === version)
      return new Response(null, { status: 304, headers: { etag: version, ...privately } });
    const isPart = new URL(request.url).searchParams.has("messages");
    const page = isPart ? () => messageList(inbox.list(), version).text : inboxPage(inbox.list(), version, basePath);
    return show(request, page, { policy: "connect-src 'self'", headers: { etag: version } });
  }

  function nothing(request: Request): Response {
    return show(request, missingPage(basePath), { status: 404 });
  }

  function show(request: Request, page: Page, more: More = {}): Response {
    const nonce = randomBytes(16).toString("base64");
    const policy = [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      // The issuer's origin is another one where somebody opens the page by an address of its own, such as 127.0.0.1.
      `form-action 'self' ${origin}`,
      "frame-ancestors 'none'",
      ...(more.policy === undefined ? [] : [more.policy]),
    ];
    return new Response(request.method === "HEAD" ? null : page(nonce), {
      status: more.status ?? 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy.join("; "),
        // With `no-referrer`, browsers would send `Origin: null` with the page's own forms.
        "referrer-policy": "same-origin",
        ...privately,
        ...more.headers,
      },
    });
  }
}

/** What differs from page to page. */
interface More {
  readonly status?: number;
  /** A directive of its Content-Security-Policy besides those of all pages. */
  readonly policy?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** For this page's own origin, and for nobody's cache. */
const privately = { "cache-control": "no-store", "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" };
