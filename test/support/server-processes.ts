import { build } from "esbuild";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A Postern server in a separate process, on a database that outlives it. */
interface ServerProcess {
  /** The base URL, ending in a slash. It is also the issuer if the port is the same each time. */
  readonly origin: string;
  /** Sends SIGKILL. Resolves after the process exited. */
  readonly kill: () => Promise<void>;
}

/** Starts {@link ServerProcess}es from one bundle. */
export interface BundledServers {
  start(database: string): Promise<ServerProcess>;
  /** Kills all running processes, and deletes the bundle. */
  stop(): Promise<void>;
}

/** Bundles `server-process.ts`. Bundling is slow, so it runs once for any number of starts. */
export async function bundleServers(): Promise<BundledServers> {
  // The server is bundled, because Node.js cannot import SQL files or core's pages. The bundle is written to a folder
  // from which Node.js can resolve the database drivers.
  const cache = fileURLToPath(new URL("../../packages/kysely/node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "server-"));
  const outfile = join(folder, "server.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("server-process.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  });

  const running = new Set<ChildProcess>();
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
    running.delete(child);
  };
  return {
    async start(database) {
      const child = spawn(process.execPath, [outfile, database], { stdio: ["ignore", "pipe", "inherit"] });
      running.add(child);
      const lines = createInterface({ input: child.stdout });
      const [origin] = (await Promise.race([
        once(lines, "line"),
        once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
      ])) as [string];
      return { origin, kill: () => end(child) };
    },
    async stop() {
      await Promise.all([...running].map(end));
      rmSync(folder, { recursive: true });
    },
  };
}
