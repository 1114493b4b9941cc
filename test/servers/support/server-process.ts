/**
 * Runs a Postern in a separate process, on a database that other processes may share. Takes a {@link ServerOrder} as
 * its argument and {@link ServerMessage}s over IPC.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { consoleLogger, createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import type { Moment } from "./around-writes.ts";
import { crashingAdapter } from "./crashing-adapter.ts";
import { hasher, serverIssuer, serverSeed } from "./fixtures.ts";

/** The configuration of a server process. */
export interface ServerOrder {
  readonly databaseUrl: string;
  /** Milliseconds by which the process's clock is ahead. */
  readonly ahead: number;
}

/** A command of the parent process. The server responds to each with a {@link ServerAnswer}. */
export type ServerMessage =
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "arm"; readonly crash?: Moment }
  | { readonly kind: "take"; readonly channel: RecordedMessage["channel"]; readonly to: string }
  | { readonly kind: "sweep" }
  | { readonly kind: "writes" };

export interface ServerAnswer {
  readonly port: number;
  /** The writes since the last `arm` command. */
  readonly writes: readonly string[];
  /** The newest message on the requested channel to the requested recipient. Each message is returned once. */
  readonly message?: RecordedMessage;
}

/** The parts of a mail, text message or voice call that tests use. */
export interface RecordedMessage {
  readonly channel: "mail" | "sms" | "call";
  readonly to: string;
  readonly code?: string;
  readonly link?: string;
}

const order = JSON.parse(String(process.argv[2])) as ServerOrder;
let ahead = order.ahead;

const database = await openDatabase(order.databaseUrl);
await database.migrate();
const data = crashingAdapter(database);
const messages: RecordedMessage[] = [];
const sender =
  (channel: RecordedMessage["channel"]) =>
  async ({ to, code, link }: Omit<RecordedMessage, "channel">): Promise<void> =>
    void messages.push({ channel, to, ...(code !== undefined && { code }), ...(link !== undefined && { link }) });
const postern = createPostern({
  issuer: serverIssuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", hasher },
  defaultTenantId: "main",
  network: { allowedPrivateAddresses: ["127.0.0.1"] },
  messages: {
    mail: { send: sender("mail") },
    sms: { send: sender("sms"), call: sender("call") },
  },
  // Most of these requests are rejected on purpose, so only errors are logged.
  logger: { log: (entry) => entry.level === "error" && consoleLogger.log(entry) },
  testing: { clock: { now: () => Date.now() + ahead }, checkReplies: true },
});
await postern.seed(serverSeed);

const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
const listener = getRequestListener((request) => postern.fetch(request, { clientAddress: "192.0.2.1" }));
server.listen(0, "127.0.0.1", () => answer());

process.on("message", (message: ServerMessage) => void handleMessage(message));

// The parent process has exited.
process.on("disconnect", () => process.exit(0));

async function handleMessage(message: ServerMessage): Promise<void> {
  if (message.kind === "advance") ahead += message.milliseconds;
  if (message.kind === "arm") data.arm(message.crash);
  if (message.kind === "take") {
    const at = messages.findLastIndex(({ channel, to }) => channel === message.channel && to === message.to);
    return answer(at < 0 ? undefined : messages.splice(at, 1)[0]);
  }
  if (message.kind === "sweep") await postern.jobs.sweep();
  answer();
}

function answer(found?: RecordedMessage): void {
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, writes: [...data.writes], ...(found && { message: found }) } satisfies ServerAnswer);
}
