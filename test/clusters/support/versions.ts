import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Two versions of the packages. The later one has one migration more. */
interface Versions {
  /** The upgrade in words. */
  readonly name: string;
  /** The folder of the packages of the former version. */
  readonly former: string;
  /** The folder of the packages of the current version. */
  readonly current: string;
  remove(): void;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const migrations = "packages/kysely/src/migrations";
const git = (...parameters: string[]): string => execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim();

/**
 * Writes the packages of two versions to a temporary folder. The current version is this commit, and the former one is
 * the commit before the newest migration. As long as there is only the first migration, the former version is this
 * commit, and the current one adds an invented migration to it.
 * @returns undefined if the history of the repository does not reach the former version.
 */
export function exportVersions(): Versions | undefined {
  const hasOnlyFirst = readdirSync(join(root, migrations, "sqlite")).length === 1;
  const head = git("rev-parse", "HEAD");
  const former = hasOnlyFirst ? head : commitBefore(git("log", "-1", "--format=%H", "--", migrations));
  if (former === undefined) return undefined;
  // In the workspace, so that Node.js resolves the database drivers.
  const cache = join(root, "packages/kysely/node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "versions-"));
  const [formerFolder, currentFolder] = [join(folder, "former"), join(folder, "current")];
  exportPackages(former, formerFolder);
  exportPackages(head, currentFolder);
  if (hasOnlyFirst) addInventedMigration(join(currentFolder, "packages/kysely/src"));
  return {
    name: hasOnlyFirst ? "to an invented migration" : `from ${former.slice(0, 8)}`,
    former: join(formerFolder, "packages"),
    current: join(currentFolder, "packages"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function commitBefore(commit: string): string | undefined {
  try {
    return git("rev-parse", "--verify", `${commit}^`);
  } catch {
    return undefined;
  }
}

function exportPackages(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", commit, "packages"], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
}

/** Adds a second migration, which adds a column to a table that every request of the load changes. */
function addInventedMigration(source: string): void {
  const first = 'migrations: { "0001_initial": initial }';
  for (const dialect of ["sqlite", "postgres", "mysql"]) {
    writeFileSync(join(source, "migrations", dialect, "0002_invented.sql"), "alter table postern_users add column invented bigint;\n");
    const file = join(source, "dialects", `${dialect}.ts`);
    const text = readFileSync(file, "utf8");
    if (!text.includes(first)) throw new Error(`${file} does not contain ${first}`);
    const added = text.replace(first, 'migrations: { "0001_initial": initial, "0002_invented": invented }');
    writeFileSync(file, `import invented from "../migrations/${dialect}/0002_invented.sql";\n${added}`);
  }
}
