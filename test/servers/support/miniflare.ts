import type { D1Database } from "@postern/kysely/d1";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { npmEnv } from "./packed.ts";
import { preparedFolder } from "./shared-folder.ts";

/** The part of Miniflare's API that these tests use. Miniflare runs Workers locally. */
interface Miniflare {
  readonly ready: Promise<URL>;
  getD1Database(binding: string): Promise<D1Database>;
  dispose(): Promise<void>;
}

/** Miniflare, installed in a folder that is deleted after the run. */
export interface InstalledMiniflare {
  readonly start: (options: object) => Miniflare;
}

/** Options for a Worker with a recent compatibility date. */
export const modern = { compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"] };

/** Installs Miniflare from npm, once in a run. */
export async function installMiniflare(): Promise<InstalledMiniflare> {
  const folder = await preparedFolder("miniflare", async (target) => {
    writeFileSync(join(target, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "miniflare@4"], { cwd: target, env: npmEnv });
  });
  const { Miniflare } = createRequire(join(folder, "package.json"))("miniflare") as {
    readonly Miniflare: new (options: object) => Miniflare;
  };
  return { start: (options) => new Miniflare(options) };
}
