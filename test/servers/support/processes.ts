import { build } from "esbuild";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Moment } from "./around-writes.ts";
import type { SentMail, ServerAnswer, ServerMessage, ServerOrder } from "./server-process.ts";

/** A Postern in a process of its own. */
export interface ServerProcess {
  /** Where it listens, without a final slash. */
  readonly origin: string;
  /** Moves its clock on. */
  advance(milliseconds: number): Promise<void>;
  /** Milliseconds that its clock is ahead. */
  ahead(): number;
  /** Counts writes from now on, and dies at one of them where a death is given. */
  arm(death?: Moment): Promise<void>;
  /** Removes what has expired, and finishes removals that were begun. */
  sweep(): Promise<void>;
  /** Every write since it was armed, as `collection.method`. */
  writes(): Promise<readonly string[]>;
  /** Waits for a mail to somebody, and takes the newest. */
  mailTo(address: string): Promise<SentMail>;
  /** Resolves when it has died of its own. */
  readonly died: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts {@link ServerProcess}es. Its program is bundled once. */
export interface Servers {
  start(databaseUrl: string, ahead?: number): Promise<ServerProcess>;
  /** Ends those that still run. */
  close(): Promise<void>;
}

/** Bundles the program, as the standalone example is bundled: from the packages' sources, drivers left out. */
export async function prepareServers(): Promise<Servers> {
  // Inside the package that has the drivers, because that is where they are found.
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

function handle(child: ChildProcess, order: ServerOrder, port: number, died: Promise<unknown>, gone: () => void): ServerProcess {
  const ask = async (message: ServerMessage): Promise<ServerAnswer> => {
    const answer = nextAnswer(child);
    child.send(message);
    return answer;
  };
  let { ahead } = order;
  return {
    origin: `http://127.0.0.1:${port}`,
    async advance(milliseconds) {
      ahead += milliseconds;
      await ask({ kind: "advance", milliseconds });
    },
    ahead: () => ahead,
    arm: async (death) => void (await ask({ kind: "arm", ...(death && { death }) })),
    sweep: async () => void (await ask({ kind: "sweep" })),
    writes: async () => (await ask({ kind: "writes" })).writes,
    async mailTo(address) {
      // It goes out when the answer is on its way.
      for (;;) {
        const { mail: found } = await ask({ kind: "mail", to: address });
        if (found !== undefined) return found;
      }
    },
    died: died.then(gone),
    async stop() {
      child.kill("SIGKILL");
      await died;
      gone();
    },
  };
}

async function nextAnswer(child: ChildProcess): Promise<ServerAnswer> {
  const [answer] = (await once(child, "message")) as [ServerAnswer];
  return answer;
}
