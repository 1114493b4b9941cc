import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pack } from "./pack.ts";

/* Packs every package into a folder, by default `tarballs/`, and prints the command that installs all of them. */

const root = join(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "tarballs"));
mkdirSync(folder, { recursive: true });
// Deletes old tarballs, because the printed command would also install them.
for (const name of readdirSync(folder)) if (/^postern-.*\.tgz$/.test(name)) rmSync(join(folder, name));

const names = readdirSync(join(root, "packages")).toSorted(dependenciesFirst);
process.stderr.write(`Packing ${names.length} packages. The first time takes a minute or two.\n`);
const tarballs = await pack(names, folder);
process.stdout.write(`Install the packages in your app's folder:\n\nnpm install ${tarballs.map(quoted).join(" ")}\n`);

/**
 * Compares packages so that dependencies come first, because building a package requires the types of its dependencies.
 */
function dependenciesFirst(a: string, b: string): number {
  const order = ["core", "app", "memory", "express"];
  return place(a) - place(b);
  function place(name: string): number {
    const index = order.indexOf(name);
    return index === -1 ? order.length : index;
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
