import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readManifest } from "./manifest.ts";
import { UsageError } from "./output.ts";

/** The identity service and the data adapter that the commands use. */
export interface OpenedService {
  readonly postern: Postern;
  /** The data adapter of `postern`. If it has `migrate`, the command `postern migrate` creates the tables. */
  readonly data: DataAdapter & {
    migrate?(): Promise<{ readonly applied: readonly string[] }>;
    pending?(): Promise<readonly string[]>;
  };
}

/**
 * The exports of `postern.config.ts` (or `.js`, `.mjs`) at the root of an app. This file creates the app's identity
 * service. The app imports the file as well.
 */
export interface PosternConfig {
  /**
   * Creates the identity service. Secrets and URLs come from the environment. The command has already loaded `.env` of
   * the same folder.
   */
  open(): Promise<OpenedService>;
}

const names = ["postern.config.ts", "postern.config.mts", "postern.config.js", "postern.config.mjs"];

/**
 * Loads the config of an app and opens its identity service.
 * @param named the path of the config. Default: the first of the default names that exists in the folder.
 * @throws {UsageError} if the file is missing, Node.js cannot load it as an ES module, it exports no `open`, or `open`
 * returns something else.
 */
export async function openConfig(cwd: string, named?: string): Promise<OpenedService> {
  const path = named === undefined ? names.map((name) => join(cwd, name)).find((file) => existsSync(file)) : resolve(cwd, named);
  if (path === undefined) throw new UsageError(`there is no ${names[0]} in ${cwd}. 'postern init' writes one; --config names another file`);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const env = join(cwd, ".env");
  // Variables that are already set keep their values.
  if (existsSync(env)) process.loadEnvFile(env);
  const module = await load(path);
  if (typeof module.open !== "function") throw new UsageError(`${path} exports no function 'open': see the README of @postern/cli`);
  // A config in JavaScript may return anything.
  const opened: Partial<OpenedService> | undefined = await module.open();
  if (!isOpenedService(opened)) throw new UsageError(`${path}: open() must return { postern, data }`);
  return opened;
}

const isOpenedService = (opened: Partial<OpenedService> | undefined): opened is OpenedService =>
  opened?.postern !== undefined && opened.data !== undefined;

async function load(path: string): Promise<Partial<PosternConfig>> {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Partial<PosternConfig>;
  } catch (cause) {
    if (!isReadAsCommonJs(path, cause)) throw cause;
    throw new UsageError(`${basename(path)} is an ES module, and package.json says "type": "commonjs". Run: npm pkg set type=module`);
  }
}

/** Whether Node.js failed to load an ES module as CommonJS, because of the type in `package.json`. */
function isReadAsCommonJs(path: string, error: unknown): boolean {
  if (!(error instanceof SyntaxError) || !/outside a module|Unexpected token 'export'/.test(error.message)) return false;
  const manifest = findPackageJSON(pathToFileURL(path));
  return manifest !== undefined && readManifest(manifest).type === "commonjs";
}
