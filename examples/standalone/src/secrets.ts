import { createHash, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { KeyRing, SealingKey } from "@postern/core";
import { secretNames, type Given, type SecretName } from "./environment.ts";
import { StartError } from "./start-error.ts";

/**
 * The values that the server generates once, by the name of their variable. `POSTERN_SECRET` may be a comma-separated
 * list: see {@link keyRingFromSecrets}.
 */
export type ServerSecrets = Readonly<Record<SecretName, string>>;

const generators: Readonly<Record<SecretName, () => string>> = {
  POSTERN_SECRET: () => randomBytes(32).toString("base64url"),
  ADMIN_CLIENT_ID: () => randomBytes(16).toString("hex"),
  ADMIN_CLIENT_SECRET: () => randomBytes(32).toString("base64url"),
  ADMIN_PASSWORD: () => randomBytes(12).toString("base64url"),
  SPA_CLIENT_ID: () => randomBytes(16).toString("hex"),
  WEB_CLIENT_ID: () => randomBytes(16).toString("hex"),
  WEB_CLIENT_SECRET: () => randomBytes(32).toString("base64url"),
};

/** The sources of {@link openServerSecrets}. */
interface SecretSources {
  /** Values from the environment. They have precedence, and are not stored. */
  readonly given: Given;
  /** The file for generated values. If undefined, they are not stored. */
  readonly file: string | undefined;
  /** Whether the database already contains data from an earlier start. */
  readonly inUse: boolean;
}

/**
 * Reads the values that an earlier start generated, and generates the missing ones. Only the owner can read the file.
 * If several processes start at the same time, one of them generates the values and the others read them.
 * @throws {StartError} if the database is in use and its secret is missing. This function does not check whether an
 * existing secret decrypts the database.
 */
export function openServerSecrets({ given, file, inUse }: SecretSources): ServerSecrets {
  const stored = file === undefined ? undefined : readFile(file);
  let values = stored ?? {};
  if (given.POSTERN_SECRET === undefined && values.POSTERN_SECRET === undefined && inUse) {
    throw new StartError(
      `The POSTERN_SECRET that encrypted this database is missing: set the variable, or restore ${file ?? "the file that contains it"}. ` +
        "Without it, the encrypted data in the database cannot be decrypted.",
      { exitCode: 2 },
    );
  }
  const missing = secretNames.filter((name) => given[name] === undefined && values[name] === undefined);
  if (missing.length > 0) {
    const generated = Object.fromEntries(missing.map((name) => [name, generators[name]()]));
    values = file === undefined ? { ...values, ...generated } : writeFile(file, { ...values, ...generated }, stored !== undefined);
  }
  const value = (name: SecretName): string => given[name] ?? values[name] ?? generators[name]();
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
 * Returns the key ring for a comma-separated list of secrets: the first one encrypts, and all of them decrypt. The id
 * of a key is derived from its secret, not from its position in the list. Adding a new secret in front, or removing an
 * old one, does not change the other ids.
 */
export function keyRingFromSecrets(secrets: string): KeyRing {
  const [first = "", ...others] = secrets.split(",").map((secret) => secret.trim());
  return [toKey(first), ...others.map(toKey)];
}

function toKey(secret: string): SealingKey {
  return { id: createHash("sha256").update(`postern key id ${secret}`).digest("base64url").slice(0, 12), secret };
}

/** @returns undefined if there is no file. */
function readFile(file: string): Given | undefined {
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
    throw new StartError(`${file} is not valid JSON`, { cause });
  }
  const values: { [Name in SecretName]?: string } = {};
  for (const name of secretNames) {
    const value: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, name) : undefined;
    if (typeof value === "string" && value !== "") values[name] = value;
  }
  return values;
}

/**
 * Writes the whole file or nothing.
 * @param replaces whether the file existed when it was read. If it did not, a file that another process created since
 * then is not replaced.
 * @returns the content of the file, which another process may have written.
 */
function writeFile(file: string, values: Given, replaces: boolean): Given {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
    // Unlike a rename, a link never replaces an existing file.
    if (replaces) renameSync(draft, file);
    else linkSync(draft, file);
    return values;
  } catch (cause) {
    if (isCode(cause, "EEXIST")) return readFile(file) ?? values;
    const names = Object.keys(values).join(", ");
    throw new StartError(`${file} cannot be written. It stores the generated values: make it writable, or set ${names}.`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
