import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The packages of an earlier commit. */
interface PreviousVersion {
  readonly commit: string;
  /** The folder of the packages. */
  readonly packages: string;
  remove(): void;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const git = (...parameters: string[]): string => execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim();

/**
 * Writes the packages of the commit before the newest migration to a temporary folder.
 * @returns undefined if the history of the repository does not reach that commit.
 */
export function exportPreviousVersion(): PreviousVersion | undefined {
  const newest = git("log", "-1", "--format=%H", "--", "packages/kysely/src/migrations");
  let commit: string;
  try {
    commit = git("rev-parse", "--verify", `${newest}^`);
  } catch {
    return undefined;
  }
  // In the workspace, so that Node.js resolves the database drivers.
  const cache = join(root, "packages/kysely/node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "previous-"));
  const archive = execFileSync("git", ["archive", commit, "packages"], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
  return { commit, packages: join(folder, "packages"), remove: () => rmSync(folder, { recursive: true }) };
}
