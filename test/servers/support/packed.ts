import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pack } from "../../../scripts/pack.ts";
import { preparedFolder } from "./shared-folder.ts";

export { npmEnv } from "../../../scripts/pack.ts";

/** The packages that tests install as they are published. */
const published = ["core", "app", "kysely", "memory", "express", "hono", "next", "testing", "cli", "admin"] as const;

/** Copies the tarballs of packages to a folder. The packages are packed once in a run. @returns the paths of the copies. */
export async function copyTarballs(names: readonly (typeof published)[number][], folder: string): Promise<readonly string[]> {
  const packed = await preparedFolder("tarballs", (target) => pack(published, target));
  const files = readdirSync(packed).filter((file) => names.some((name) => new RegExp(`^postern-${name}-\\d`).test(file)));
  for (const file of files) copyFileSync(join(packed, file), join(folder, file));
  return files.map((file) => join(folder, file));
}
