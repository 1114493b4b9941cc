import { createPostern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { createApp } from "../../examples/standalone/src/app.ts";
import { createDevPages } from "../../examples/standalone/src/dev-pages.ts";
import { createInbox, type Inbox } from "../../examples/standalone/src/inbox.ts";
import { createLog } from "../../examples/standalone/src/log.ts";
import { listen } from "../../examples/standalone/src/server.ts";

/** The example's pages with an inbox that a test puts messages into. */
export interface ServedInbox {
  /** Where the inbox is seen. */
  readonly url: string;
  receive(message: Partial<Parameters<Inbox["mail"]["send"]>[0]>): Promise<void>;
  /** What the inbox was asked by its own script: the status of each answer. */
  readonly asked: readonly number[];
  close(): Promise<void>;
}

/** Serves the app of the example on a port of its own, or on `port` once that is free again. */
export async function serveInbox(port = 0): Promise<ServedInbox> {
  const server = await listen("127.0.0.1", port);
  const issuer = `http://localhost:${server.port}/`;
  const postern = createPostern({
    issuer,
    data: createMemoryAdapter(),
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    defaultTenantId: "main",
    controlPlane: { tenantId: "main" },
  });
  const silent = { write: (_text: string, done: () => void) => done() };
  const inbox = createInbox(() => {});
  const asked: number[] = [];
  const answer = createApp({
    postern,
    inbox,
    log: createLog("json", silent, silent, (_, text) => text),
    devPages: createDevPages({ setting: "loopback", issuer, host: "127.0.0.1" }),
    clients: { spa: { id: "spa" }, web: { id: "web", secret: "a-secret-that-is-long-enough" }, social: { id: "social" } },
    hasProvider: false,
    firstUser: { show: async () => ({ email: "ada@example.com", password: { shown: "correct-horse" } }) },
    facts: { tenantId: "main", managementClientId: "manager", spaClientId: "spa", webClientId: "web" },
  });
  server.serve(async (request, extra) => {
    const response = await answer(request, extra);
    if (request.headers.has("if-none-match")) asked.push(response.status);
    return response;
  });
  return {
    url: `${issuer}dev/inbox`,
    receive: (message) =>
      inbox.mail.send({
        tenantId: "main",
        template: "test",
        to: "ada@example.com",
        subject: "Hello",
        text: "Hello.",
        html: "",
        ...message,
      }),
    asked,
    close: () => server.drain(0),
  };
}
