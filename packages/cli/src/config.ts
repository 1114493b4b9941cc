import type { DataAdapter, Postern } from "@postern/core";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "./output.ts";

/** What the commands work on. */
export interface Opened {
  readonly postern: Postern;
  /** The data store that `postern` was made with. With `migrate`, the tables are made by `postern migrate`. */
  readonly data: DataAdapter & {
    migrate?(): Promise<{ readonly applied: readonly string[] }>;
    pending?(): Promise<readonly string[]>;
  };
}

/** The file `postern.config.ts` (or `.js`, `.mjs`) at the root of an app: the one place that says how its identity service is made. The app imports it as well. */
export interface PosternConfig {
  /** Makes the identity service. Secrets and addresses come from the environment; a `.env` beside the file was read before. */
  open(): Promise<Opened>;
}

const names = ["postern.config.ts", "postern.config.mts", "postern.config.js", "postern.config.mjs"];

/**
 * Opens what the config of an app makes.
 * @param named a path; left out: the first of the usual names in the folder.
 * @throws {UsageError} where there is no such file, or it has no `open`.
 */
export async function openConfig(cwd: string, named?: string): Promise<Opened> {
  const path = named === undefined ? names.map((name) => join(cwd, name)).find((file) => existsSync(file)) : resolve(cwd, named);
  if (path === undefined) throw new UsageError(`there is no ${names[0]} in ${cwd}. 'postern init' writes one; --config names another file`);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const env = join(cwd, ".env");
  // What is set already stands.
  if (existsSync(env)) process.loadEnvFile(env);
  const module = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Partial<PosternConfig>;
  if (typeof module.open !== "function") throw new UsageError(`${path} exports no function 'open': see the README of @postern/cli`);
  return module.open();
}
