import { createPostern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { createApp } from "../../examples/standalone/src/app.ts";
import { createConsole } from "../../examples/standalone/src/console.ts";
import { createDevPages } from "../../examples/standalone/src/dev-pages.ts";
import { createInbox, type LocalInbox } from "../../examples/standalone/src/inbox.ts";
import { createLog } from "../../examples/standalone/src/log.ts";
import { startServer } from "../../examples/standalone/src/server.ts";

/** The example's pages with an inbox that tests fill with messages. */
export interface ServedInbox {
  /** The URL of the inbox. */
  readonly url: string;
  receive(message: Partial<Parameters<LocalInbox["mail"]["send"]>[0]>): Promise<void>;
  /** The statuses of the responses to requests that the script on the inbox page sent. */
  readonly pollStatuses: readonly number[];
  close(): Promise<void>;
}

/** Serves the example's app on a free port, or on `port`. */
export async function serveInbox(port = 0): Promise<ServedInbox> {
  const server = await startServer("127.0.0.1", port);
  const issuer = `http://localhost:${server.port}/`;
  const [data, secret] = [createMemoryAdapter(), "0123456789abcdef0123456789abcdef"];
  const postern = createPostern({
    issuer,
    data,
    crypto: { secret },
    defaultTenantId: "main",
    controlPlane: { tenantId: "main" },
  });
  await postern.seed({ tenantId: "main" });
  const silent = { write: (_text: string, done: () => void) => done() };
  const inbox = createInbox(() => {});
  const pollStatuses: number[] = [];
  const answer = createApp({
    postern,
    admin: await createConsole({ postern, data, tenantId: "main", secrets: secret }),
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
    if (request.headers.has("if-none-match")) pollStatuses.push(response.status);
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
    pollStatuses,
    close: () => server.drain(0),
  };
}
