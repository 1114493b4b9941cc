import { build, type Plugin } from "esbuild";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const workspacePackages = fileURLToPath(new URL("../../packages", import.meta.url));

/** Resolves `@postern/…` to the sources in a folder of packages. */
const packagesIn = (folder: string): Plugin => ({
  name: "packages-in-folder",
  setup({ onResolve }) {
    onResolve({ filter: /^@postern\// }, ({ path }) => {
      const [, name = "", ...entry] = path.split("/");
      const manifest = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as {
        readonly exports: { readonly [entry: string]: { readonly "postern-source": string } };
      };
      const source = manifest.exports[[".", ...entry].join("/")]?.["postern-source"];
      return source === undefined ? undefined : { path: join(folder, name, source) };
    });
  },
});

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

/**
 * Bundles `server-process.ts`. Bundling is slow, so it runs once for any number of starts.
 * @param packages the folder of the packages. Default: those of this workspace. Packages of another version get their
 * dependencies from this workspace.
 */
export async function bundleServers(packages = workspacePackages): Promise<BundledServers> {
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
    ...(packages !== workspacePackages && {
      plugins: [packagesIn(packages)],
      nodePaths: readdirSync(workspacePackages).map((name) => join(workspacePackages, name, "node_modules")),
    }),
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
