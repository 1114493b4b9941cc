import { randomBytes } from "node:crypto";
import type { Admin } from "@postern/admin";
import type { Postern } from "@postern/core";
import { handleRootRequest } from "@postern/core/glue";
import { createDemo } from "./demo/demo.ts";
import { createDemoProvider } from "./demo/provider.ts";
import type { DemoClients } from "./demo/clients.ts";
import type { FirstUser } from "./demo/first-user.ts";
import type { DevPages } from "./dev-pages.ts";
import type { LocalInbox } from "./inbox.ts";
import type { Log } from "./log.ts";
import { homePage, plainHomePage, type HomeFacts } from "./pages/home.ts";
import { inboxPage, messageList } from "./pages/inbox.ts";
import type { Page } from "./pages/layout.ts";
import { missingPage } from "./pages/missing.ts";
import type { Handler } from "./server.ts";

/** Parameters of {@link createApp}. */
interface AppParts {
  readonly postern: Postern;
  /** The admin console, whose URL is below the issuer. */
  readonly admin: Admin;
  readonly inbox: LocalInbox;
  readonly log: Log;
  /** Decides which requests may read the demo and the inbox. */
  readonly devPages: DevPages;
  /** The clients with which the demo signs users in. */
  readonly clients: DemoClients;
  /** Whether the demo has an identity provider. */
  readonly hasProvider: boolean;
  readonly firstUser: FirstUser;
  readonly facts: Omit<HomeFacts, "issuer" | "basePath" | "messages" | "user" | "hasProvider">;
}

/**
 * Serves Postern, the admin console, and the pages of this example: the home page with the demo login at the issuer's
 * URL, and every path below `dev/`.
 */
export function createApp({ postern, admin, inbox, log, devPages, clients, hasProvider, firstUser, facts }: AppParts): Handler {
  const { pathname: basePath, origin } = new URL(postern.issuer);
  const { pathname: adminPath } = new URL(admin.issuer);
  const demo = createDemo({ postern, clients, log });
  const provider = hasProvider ? createDemoProvider(`${postern.issuer}dev/provider/`, `${postern.issuer}login/callback`) : undefined;
  return async (request, extra) => {
    const { pathname } = new URL(request.url);
    const isExamplePage = pathname === basePath || `${pathname}/` === basePath || pathname.startsWith(`${basePath}dev/`);
    const isConsole = pathname.startsWith(adminPath) || `${pathname}/` === adminPath;
    if (!isExamplePage && !isConsole) return (await handleRootRequest(postern, request, {}, extra)) ?? postern.fetch(request, extra);

    const began = Date.now();
    const response = isConsole ? await admin.fetch(request, extra) : await handleExamplePage(request, pathname.slice(basePath.length));
    const { method } = request;
    log.log({ level: "info", event: "request", method, path: pathname, status: response.status, duration_ms: Date.now() - began });
    return response;
  };

  async function handleExamplePage(request: Request, path: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (`${pathname}/` === basePath) return new Response(null, { status: 308, headers: { location: basePath } });
    const shown = devPages.areShownTo(request.headers);
    if (!shown && path !== "") return notFound(request);
    if (provider !== undefined && path.startsWith("dev/provider/")) {
      const result = await provider(request, path.slice("dev/provider/".length));
      return result === undefined ? notFound(request) : result instanceof Response ? result : show(request, result);
    }
    const action = path.startsWith("dev/demo/") ? demo.actions.get(path.slice("dev/demo/".length)) : undefined;
    const allowed = action === undefined ? ["GET", "HEAD"] : ["POST"];
    if (!allowed.includes(request.method)) return new Response(null, { status: 405, headers: { allow: allowed.join(", ") } });
    if (action !== undefined) return action(request);
    const asksForJson = request.headers.get("accept")?.includes("application/json") === true;
    // Other visitors get a page without account names, which says only that the server is running.
    if (!shown) return show(request, plainHomePage(basePath));
    switch (path) {
      case "":
        // A code can be used only once, so a HEAD request must not use it.
        if (request.method === "GET" && (searchParams.has("code") || searchParams.has("error"))) return demo.finish(request);
        return showHome(request);
      case "dev/inbox":
        return asksForJson ? Response.json(inbox.list(), { headers: privateHeaders }) : showInbox(request);
      default:
        return notFound(request);
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
      return new Response(null, { status: 304, headers: { etag: version, ...privateHeaders } });
    const isPart = new URL(request.url).searchParams.has("messages");
    const page = isPart ? () => messageList(inbox.list(), version).text : inboxPage(inbox.list(), version, basePath);
    return show(request, page, { policy: "connect-src 'self'", headers: { etag: version } });
  }

  function notFound(request: Request): Response {
    return show(request, missingPage(basePath), { status: 404 });
  }

  function show(request: Request, page: Page, options: PageOptions = {}): Response {
    const nonce = randomBytes(16).toString("base64");
    const policy = [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      // The issuer's origin differs from 'self' if the page is opened with another host name, such as 127.0.0.1.
      `form-action 'self' ${origin}`,
      "frame-ancestors 'none'",
      ...(options.policy === undefined ? [] : [options.policy]),
    ];
    return new Response(request.method === "HEAD" ? null : page(nonce), {
      status: options.status ?? 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy.join("; "),
        // With `no-referrer`, browsers would send `Origin: null` with the forms on the page.
        "referrer-policy": "same-origin",
        ...privateHeaders,
        ...options.headers,
      },
    });
  }
}

/** Options for a response that contains a page. */
interface PageOptions {
  readonly status?: number;
  /** An additional directive for the Content-Security-Policy header. */
  readonly policy?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Headers that prevent caching and use by other origins. */
const privateHeaders = { "cache-control": "no-store", "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" };
