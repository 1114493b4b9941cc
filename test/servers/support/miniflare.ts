import type { D1Database } from "@postern/kysely/d1";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { npmEnv } from "./packed.ts";

/** Miniflare, which runs Workers on this machine, as far as it is needed here. */
export interface Miniflare {
  readonly ready: Promise<URL>;
  getD1Database(binding: string): Promise<D1Database>;
  dispose(): Promise<void>;
}

/** Miniflare as it was installed in a folder of its own. */
export interface InstalledMiniflare {
  readonly start: (options: object) => Miniflare;
  /** Removes the folder. */
  readonly remove: () => void;
}

/** How a Worker of today is run. */
export const modern = { compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"] };

/** Installs Miniflare from npm. */
export async function installMiniflare(): Promise<InstalledMiniflare> {
  const folder = mkdtempSync(join(tmpdir(), "postern-miniflare-"));
  const remove = (): void => rmSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  try {
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "miniflare@4"], { cwd: folder, env: npmEnv });
  } catch (error) {
    remove();
    throw error;
  }
  const { Miniflare } = createRequire(join(folder, "package.json"))("miniflare") as {
    readonly Miniflare: new (options: object) => Miniflare;
  };
  return { start: (options) => new Miniflare(options), remove };
}
