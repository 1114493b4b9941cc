/** A Postern in a process of its own, over a database that others may share. Takes a {@link ServerOrder} as its argument and {@link ServerMessage}s. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { consoleLogger, createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import type { Moment } from "./around-writes.ts";
import { deadlyAdapter } from "./deadly-adapter.ts";
import { hasher, issuer, seed } from "./people.ts";

/** What a process serves. */
export interface ServerOrder {
  readonly databaseUrl: string;
  /** Milliseconds that its clock is ahead. */
  readonly ahead: number;
}

/** What its parent may ask of it. It answers each with a {@link ServerAnswer}. */
export type ServerMessage =
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "arm"; readonly death?: Moment }
  | { readonly kind: "mail"; readonly to: string }
  | { readonly kind: "sweep" }
  | { readonly kind: "writes" };

export interface ServerAnswer {
  readonly port: number;
  /** What was written since it was last armed. */
  readonly writes: readonly string[];
  /** The newest mail to whom it was asked about: it is told of once. */
  readonly mail?: SentMail;
}

/** As much of a mail as who gets it uses. */
export interface SentMail {
  readonly to: string;
  readonly code?: string;
  readonly link?: string;
}

const order = JSON.parse(String(process.argv[2])) as ServerOrder;
let ahead = order.ahead;

const database = await openDatabase(order.databaseUrl);
await database.migrate();
const data = deadlyAdapter(database);
const mail: SentMail[] = [];
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", hasher },
  defaultTenantId: "main",
  network: { allowedPrivateAddresses: ["127.0.0.1"] },
  messages: {
    mail: {
      send: async ({ to, code, link }) => void mail.push({ to, ...(code !== undefined && { code }), ...(link !== undefined && { link }) }),
    },
  },
  // Refusals are what most of these requests are for.
  logger: { log: (entry) => entry.level === "error" && consoleLogger.log(entry) },
  testing: { clock: { now: () => Date.now() + ahead }, checkReplies: true },
});
await postern.seed(seed);

const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
const listener = getRequestListener((request) => postern.fetch(request, { clientAddress: "192.0.2.1" }));
server.listen(0, "127.0.0.1", () => answer());

process.on("message", (message: ServerMessage) => void obey(message));

// Whoever started it is gone.
process.on("disconnect", () => process.exit(0));

async function obey(message: ServerMessage): Promise<void> {
  if (message.kind === "advance") ahead += message.milliseconds;
  if (message.kind === "arm") data.arm(message.death);
  if (message.kind === "mail") {
    const at = mail.findLastIndex(({ to }) => to === message.to);
    return answer(at < 0 ? undefined : mail.splice(at, 1)[0]);
  }
  if (message.kind === "sweep") await postern.jobs.sweep();
  answer();
}

function answer(found?: SentMail): void {
  // `listen` on a port gives an address of this form.
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, writes: [...data.writes], ...(found && { mail: found }) } satisfies ServerAnswer);
}
