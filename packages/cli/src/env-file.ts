import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const line = /^POSTERN_SECRET=(.*)$/m;

/** A secret that nobody guesses: 32 random bytes. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What `POSTERN_SECRET` is in the `.env` of an app; undefined where nothing says so. */
export function readSecret(cwd: string): string | undefined {
  const [, value] = line.exec(read(cwd)) ?? [];
  return value?.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Writes `POSTERN_SECRET` into the `.env` of an app, and leaves everything else in it as it is. The file is replaced whole: a lost process leaves the one before. */
export function writeSecret(cwd: string, value: string): void {
  const before = read(cwd);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const own = `POSTERN_SECRET=${value}`;
  const after = line.test(before) ? before.replace(line, () => own) : `${before}${gap}${own}\n`;
  const file = fileOf(cwd);
  writeFileSync(`${file}.new`, after, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const fileOf = (cwd: string): string => join(cwd, ".env");

const read = (cwd: string): string => (existsSync(fileOf(cwd)) ? readFileSync(fileOf(cwd), "utf8") : "");
