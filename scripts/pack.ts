import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

/**
 * The environment for npm, which uses this repository's Node.js, because database drivers only have binaries for
 * current versions.
 */
export const npmEnv = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, CI: "1" };

/**
 * Packs packages as they are published. Builds a package only if its sources changed since its last build.
 * @returns the paths of the tarballs.
 */
export async function pack(names: readonly string[], folder: string): Promise<readonly string[]> {
  const pnpm = (...args: string[]) => run("npx", ["-y", "pnpm@12", ...args], { cwd: root, env: npmEnv });
  for (const name of names) if (!isBuilt(name)) await pnpm("--filter", `./packages/${name}`, "run", "build");
  await pnpm(...names.flatMap((name) => ["--filter", `./packages/${name}`]), "pack", "--pack-destination", folder);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name));
}

function isBuilt(name: string): boolean {
  const built = join(root, "packages", name, "dist");
  return existsSync(built) && newest(built) > newest(join(root, "packages", name, "src"));
}

/** Returns when the newest file below a folder was written, in milliseconds since 1970. */
function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs));
}
