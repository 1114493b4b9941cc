import { build } from "esbuild";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Moment } from "./around-writes.ts";
import type { RecordedMessage, ServerAnswer, ServerMessage, ServerOrder } from "./server-process.ts";

/** A Postern in a separate process. */
export interface ServerProcess {
  /** The origin of the server, without a final slash. */
  readonly origin: string;
  /** Moves the process's clock forward. */
  advance(milliseconds: number): Promise<void>;
  /** Returns the milliseconds by which the process's clock is ahead. */
  ahead(): number;
  /** Resets the count of writes. With a moment, the process kills itself at that write. */
  arm(crash?: Moment): Promise<void>;
  /** Deletes expired rows and finishes removals that were started. */
  sweep(): Promise<void>;
  /** Returns every write since the last `arm`, as `collection.method`. */
  writes(): Promise<readonly string[]>;
  /** Waits for a mail to an address. @returns the newest one, which is then removed from the list. */
  mailTo(address: string): Promise<RecordedMessage>;
  /** Waits for a text message to a phone number, in the same way. */
  textTo(number: string): Promise<RecordedMessage>;
  /** Waits for a voice call to a phone number, in the same way. */
  callTo(number: string): Promise<RecordedMessage>;
  /** Resolves when the process has exited. */
  readonly died: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts {@link ServerProcess}es. Their program is bundled once. */
export interface Servers {
  start(databaseUrl: string, ahead?: number): Promise<ServerProcess>;
  /** Kills the processes that still run. */
  close(): Promise<void>;
}

/**
 * Bundles the server program from the packages' sources, as the standalone example does. Database drivers stay
 * external.
 */
export async function prepareServers(): Promise<Servers> {
  // The bundle is inside the package that depends on the drivers, so that Node.js can resolve them.
  const cache = fileURLToPath(new URL("../../../packages/kysely/node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "servers-"));
  const program = join(folder, "server.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("server-process.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  const running = new Set<ServerProcess>();
  return {
    async start(databaseUrl, ahead = 0) {
      const order: ServerOrder = { databaseUrl, ahead };
      const child = fork(program, [JSON.stringify(order)], { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [] });
      const died = once(child, "exit");
      const { port } = await Promise.race([nextAnswer(child), died.then(() => Promise.reject(new Error("the server did not start")))]);
      const server = handle(child, order, port, died, () => running.delete(server));
      running.add(server);
      return server;
    },
    async close() {
      await Promise.all([...running].map((server) => server.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

function handle(child: ChildProcess, order: ServerOrder, port: number, died: Promise<unknown>, onExit: () => void): ServerProcess {
  const send = async (message: ServerMessage): Promise<ServerAnswer> => {
    const answer = nextAnswer(child);
    child.send(message);
    return answer;
  };
  /** Takes a message. It may be sent after the response, so this polls. */
  const take = async (channel: RecordedMessage["channel"], to: string): Promise<RecordedMessage> => {
    for (;;) {
      const { message } = await send({ kind: "take", channel, to });
      if (message !== undefined) return message;
    }
  };
  let { ahead } = order;
  return {
    origin: `http://127.0.0.1:${port}`,
    async advance(milliseconds) {
      ahead += milliseconds;
      await send({ kind: "advance", milliseconds });
    },
    ahead: () => ahead,
    arm: async (crash) => void (await send({ kind: "arm", ...(crash && { crash }) })),
    sweep: async () => void (await send({ kind: "sweep" })),
    writes: async () => (await send({ kind: "writes" })).writes,
    mailTo: (address) => take("mail", address),
    textTo: (number) => take("sms", number),
    callTo: (number) => take("call", number),
    died: died.then(onExit),
    async stop() {
      child.kill("SIGKILL");
      await died;
      onExit();
    },
  };
}

async function nextAnswer(child: ChildProcess): Promise<ServerAnswer> {
  const [answer] = (await once(child, "message")) as [ServerAnswer];
  return answer;
}
