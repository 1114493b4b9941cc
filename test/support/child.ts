import { build } from "esbuild";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A Postern in a process of its own, on a database that outlives it. */
export interface ServerProcess {
  /** Where it listens, ending in a slash: its issuer as far as the port is the same each time. */
  readonly origin: string;
  /** SIGKILL, at once. Resolves when the process is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts {@link ServerProcess}es from one bundle. */
export interface Servers {
  start(database: string): Promise<ServerProcess>;
  /** Ends all that still run, and removes the bundle. */
  stop(): Promise<void>;
}

/** Bundles `server-process.ts`, which takes long, once for any number of starts, which do not. */
export async function bundleServers(): Promise<Servers> {
  // Node reads neither SQL nor core's pages; and beside the drivers, because that is where they are found.
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
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
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
