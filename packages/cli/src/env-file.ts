import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The secrets of an app: the one that seals Postern's data, and the one that seals the cookies of the app's own sessions (`@postern/app`). */
export type SecretName = "POSTERN_SECRET" | "APP_SECRET";

const lines: { readonly [Name in SecretName]: RegExp } = { POSTERN_SECRET: /^POSTERN_SECRET=(.*)$/m, APP_SECRET: /^APP_SECRET=(.*)$/m };

/** A secret that nobody guesses: 32 random bytes. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What a secret is in the `.env` of an app; undefined where nothing says so. */
export function readSecret(cwd: string, name: SecretName = "POSTERN_SECRET"): string | undefined {
  const [, value] = lines[name].exec(read(cwd)) ?? [];
  return value?.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Writes a secret into the `.env` of an app, and leaves everything else in it as it is. The file is replaced whole: a lost process leaves the one before. */
export function writeSecret(cwd: string, value: string, name: SecretName = "POSTERN_SECRET"): void {
  const before = read(cwd);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const own = `${name}=${value}`;
  const after = lines[name].test(before) ? before.replace(lines[name], () => own) : `${before}${gap}${own}\n`;
  const file = fileOf(cwd);
  writeFileSync(`${file}.new`, after, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const fileOf = (cwd: string): string => join(cwd, ".env");

const read = (cwd: string): string => (existsSync(fileOf(cwd)) ? readFileSync(fileOf(cwd), "utf8") : "");
