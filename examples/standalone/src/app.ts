import { randomBytes } from "node:crypto";
import type { Postern } from "@postern/core";
import { createDemo } from "./demo/demo.ts";
import type { DemoClients } from "./demo/clients.ts";
import type { Inbox } from "./inbox.ts";
import type { Log } from "./log.ts";
import { homePage, type HomeFacts } from "./pages/home.ts";
import { inboxPage } from "./pages/inbox.ts";
import type { Page } from "./pages/page.ts";
import type { Handler } from "./server.ts";

/** What {@link createApp} puts together. */
export interface AppParts {
  readonly postern: Postern;
  readonly inbox: Inbox;
  readonly log: Log;
  /** The clients that the demo signs people in with. */
  readonly clients: DemoClients;
  readonly facts: Omit<HomeFacts, "issuer" | "basePath" | "messages">;
}

/** Postern, and beside it the two pages of this example with the demo login: the one at the issuer's own address, and everything below `dev/`. */
export function createApp({ postern, inbox, log, clients, facts }: AppParts): Handler {
  const { pathname: basePath, origin } = new URL(postern.issuer);
  const demo = createDemo({ postern, clients, log });
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
    const action = path.startsWith("dev/demo/") ? demo.actions.get(path.slice("dev/demo/".length)) : undefined;
    const allowed = action === undefined ? ["GET", "HEAD"] : ["POST"];
    if (!allowed.includes(request.method)) return new Response(null, { status: 405, headers: { allow: allowed.join(", ") } });
    if (action !== undefined) return action(request);
    const { pathname, searchParams } = new URL(request.url);
    const asksForJson = request.headers.get("accept")?.includes("application/json") === true;
    switch (path) {
      case "":
        if (`${pathname}/` === basePath) return new Response(null, { status: 308, headers: { location: basePath } });
        // A code is good once: not for somebody who only asks for the headers.
        if (request.method === "GET" && (searchParams.has("code") || searchParams.has("error"))) return demo.finish(request);
        return show(
          request,
          homePage({ ...facts, issuer: postern.issuer, basePath, messages: inbox.list().length }, await demo.view(request)),
        );
      case "dev/inbox":
        return asksForJson ? Response.json(inbox.list()) : show(request, inboxPage(inbox.list(), basePath));
      default:
        return new Response("There is nothing here.\n", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
    }
  }

  function show(request: Request, page: Page): Response {
    const nonce = randomBytes(16).toString("base64");
    const policy = [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      // The issuer's origin is another one where somebody opens the page by an address of its own, such as 127.0.0.1.
      `form-action 'self' ${origin}`,
      "frame-ancestors 'none'",
    ];
    return new Response(request.method === "HEAD" ? null : page(nonce), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy.join("; "),
        "cache-control": "no-store",
        // With `no-referrer`, browsers would send `Origin: null` with the page's own forms.
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
      },
    });
  }
}
