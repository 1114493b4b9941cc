import type { D1Database } from "@postern/kysely/d1";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { npmEnv } from "./packed.ts";

/** The part of Miniflare's API that these tests use. Miniflare runs Workers locally. */
interface Miniflare {
  readonly ready: Promise<URL>;
  getD1Database(binding: string): Promise<D1Database>;
  dispose(): Promise<void>;
}

/** Miniflare, installed in a temporary folder. */
export interface InstalledMiniflare {
  readonly start: (options: object) => Miniflare;
  /** Deletes the folder. */
  readonly remove: () => void;
}

/** Options for a Worker with a recent compatibility date. */
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
