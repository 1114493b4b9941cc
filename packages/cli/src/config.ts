import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readManifest } from "./manifest.ts";
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
 * @throws {UsageError} where there is no such file, Node cannot take it as an ES module, it has no `open`, or `open` answers something else.
 */
export async function openConfig(cwd: string, named?: string): Promise<Opened> {
  const path = named === undefined ? names.map((name) => join(cwd, name)).find((file) => existsSync(file)) : resolve(cwd, named);
  if (path === undefined) throw new UsageError(`there is no ${names[0]} in ${cwd}. 'postern init' writes one; --config names another file`);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const env = join(cwd, ".env");
  // What is set already stands.
  if (existsSync(env)) process.loadEnvFile(env);
  const module = await load(path);
  if (typeof module.open !== "function") throw new UsageError(`${path} exports no function 'open': see the README of @postern/cli`);
  // Whoever writes the config in JavaScript may answer anything.
  const opened: Partial<Opened> | undefined = await module.open();
  if (!isOpened(opened)) throw new UsageError(`${path}: open() must answer { postern, data }`);
  return opened;
}

const isOpened = (opened: Partial<Opened> | undefined): opened is Opened => opened?.postern !== undefined && opened.data !== undefined;

async function load(path: string): Promise<Partial<PosternConfig>> {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Partial<PosternConfig>;
  } catch (cause) {
    if (!isReadAsCommonJs(path, cause)) throw cause;
    throw new UsageError(`${basename(path)} is an ES module, and package.json says "type": "commonjs". Run: npm pkg set type=module`);
  }
}

/** Whether a file is an ES module that Node took for the other kind, since `package.json` says so. */
function isReadAsCommonJs(path: string, error: unknown): boolean {
  if (!(error instanceof SyntaxError) || !/outside a module|Unexpected token 'export'/.test(error.message)) return false;
  const manifest = findPackageJSON(pathToFileURL(path));
  return manifest !== undefined && readManifest(manifest).type === "commonjs";
}
