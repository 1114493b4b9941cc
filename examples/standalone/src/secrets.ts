import { createHash, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { KeyRing, SealingKey } from "@postern/core";
import { secretNames, type Given, type SecretName } from "./environment.ts";
import { StartError } from "./start-error.ts";

/** All that is generated once, under the names of their variables. `POSTERN_SECRET` may be a comma list: see {@link toKeyRing}. */
export type Secrets = Readonly<Record<SecretName, string>>;

const generators: Readonly<Record<SecretName, () => string>> = {
  POSTERN_SECRET: () => randomBytes(32).toString("base64url"),
  ADMIN_CLIENT_ID: () => randomBytes(16).toString("hex"),
  ADMIN_CLIENT_SECRET: () => randomBytes(32).toString("base64url"),
  ADMIN_PASSWORD: () => randomBytes(12).toString("base64url"),
  SPA_CLIENT_ID: () => randomBytes(16).toString("hex"),
  WEB_CLIENT_ID: () => randomBytes(16).toString("hex"),
  WEB_CLIENT_SECRET: () => randomBytes(32).toString("base64url"),
};

/** Where {@link openSecrets} looks. */
export interface SecretSources {
  /** What the environment gives, before anything else. It is written nowhere. */
  readonly given: Given;
  /** The file that keeps what was generated. Undefined: nothing is kept. */
  readonly file: string | undefined;
  /** Whether the database has been in use already, with secrets of its own. */
  readonly inUse: boolean;
}

/**
 * Reads what was generated at the first start, and generates what is missing. The file is readable for its owner alone; of several processes
 * that start at once, one generates and the others read.
 * @throws {StartError} where the secret that the database is sealed with is lost. Whether a secret that is there opens it is asked of the database.
 */
export function openSecrets({ given, file, inUse }: SecretSources): Secrets {
  const stored = file === undefined ? undefined : readKept(file);
  let kept = stored ?? {};
  if (given.POSTERN_SECRET === undefined && kept.POSTERN_SECRET === undefined && inUse) {
    throw new StartError(
      `This database was first used with a POSTERN_SECRET that is not here: set it, or bring back ${file ?? "the file that kept it"}. ` +
        "Without it, nothing that is sealed in the database can be opened.",
      { exitCode: 2 },
    );
  }
  const missing = secretNames.filter((name) => given[name] === undefined && kept[name] === undefined);
  if (missing.length > 0) {
    const generated = Object.fromEntries(missing.map((name) => [name, generators[name]()]));
    kept = file === undefined ? { ...kept, ...generated } : keep(file, { ...kept, ...generated }, stored !== undefined);
  }
  const value = (name: SecretName): string => given[name] ?? kept[name] ?? generators[name]();
  return {
    POSTERN_SECRET: value("POSTERN_SECRET"),
    ADMIN_CLIENT_ID: value("ADMIN_CLIENT_ID"),
    ADMIN_CLIENT_SECRET: value("ADMIN_CLIENT_SECRET"),
    ADMIN_PASSWORD: value("ADMIN_PASSWORD"),
    SPA_CLIENT_ID: value("SPA_CLIENT_ID"),
    WEB_CLIENT_ID: value("WEB_CLIENT_ID"),
    WEB_CLIENT_SECRET: value("WEB_CLIENT_SECRET"),
  };
}

/**
 * The keys of a comma list of secrets: the first seals, the others still open what they sealed. A key is named after its secret and not after its place in the
 * list, so that a new one in front, or an old one less at the end, changes no other one's name.
 */
export function toKeyRing(secrets: string): KeyRing {
  const [first = "", ...others] = secrets.split(",").map((secret) => secret.trim());
  return [toKey(first), ...others.map(toKey)];
}

function toKey(secret: string): SealingKey {
  return { id: createHash("sha256").update(`postern key id ${secret}`).digest("base64url").slice(0, 12), secret };
}

/** @returns undefined if there is no file. */
function readKept(file: string): Given | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw new StartError(`${file} cannot be read`, { cause: error });
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new StartError(`${file} is not JSON any more`, { cause });
  }
  const kept: { [Name in SecretName]?: string } = {};
  for (const name of secretNames) {
    const value: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, name) : undefined;
    if (typeof value === "string" && value !== "") kept[name] = value;
  }
  return kept;
}

/**
 * Writes the whole file or nothing.
 * @param replaces whether the file existed when it was read. Otherwise a file that another process has created since then stays.
 * @returns the content of the file, which may be that of the other process.
 */
function keep(file: string, values: Given, replaces: boolean): Given {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
    // Unlike a rename, a link never replaces an existing file.
    if (replaces) renameSync(draft, file);
    else linkSync(draft, file);
    return values;
  } catch (cause) {
    if (isCode(cause, "EEXIST")) return readKept(file) ?? values;
    const names = Object.keys(values).join(", ");
    throw new StartError(`${file} cannot be written, where what is generated is kept. Make it writable, or set ${names}.`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
