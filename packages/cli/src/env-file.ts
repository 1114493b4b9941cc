import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The variables of an app: its database, the secret that encrypts Postern's data, the secret that encrypts the app's
 * cookies, and the secret of the client that calls the Management API.
 */
type VariableName = "DATABASE_URL" | "POSTERN_SECRET" | "APP_SECRET" | "BACKEND_SECRET";

const lines: { readonly [Name in VariableName]: RegExp } = {
  DATABASE_URL: /^DATABASE_URL=(.*)$/m,
  POSTERN_SECRET: /^POSTERN_SECRET=(.*)$/m,
  APP_SECRET: /^APP_SECRET=(.*)$/m,
  BACKEND_SECRET: /^BACKEND_SECRET=(.*)$/m,
};

/** Creates a secret of 32 random bytes. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the value of a variable in the `.env` of an app, or `undefined` if it is not set. */
export function readVariable(cwd: string, name: VariableName): string | undefined {
  const [, value] = lines[name].exec(read(cwd)) ?? [];
  return value?.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/**
 * Writes a variable into the `.env` of an app and keeps all other lines. The file is replaced as a whole, so a crash
 * leaves the previous file.
 */
export function writeVariable(cwd: string, name: VariableName, value: string): void {
  const before = read(cwd);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const assignment = `${name}=${value}`;
  const after = lines[name].test(before) ? before.replace(lines[name], () => assignment) : `${before}${gap}${assignment}\n`;
  const file = fileOf(cwd);
  writeFileSync(`${file}.new`, after, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const fileOf = (cwd: string): string => join(cwd, ".env");

const read = (cwd: string): string => (existsSync(fileOf(cwd)) ? readFileSync(fileOf(cwd), "utf8") : "");
