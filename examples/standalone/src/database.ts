import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { inspect } from "node:util";
import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { StartError } from "./start-error.ts";

/** Opens the database, brings its tables up to date, and compares them with what this version needs. */
export async function openData(url: string): Promise<DataAdapter> {
  if (url === "memory:") return createMemoryAdapter();
  try {
    const data = await openDatabase(url);
    await data.migrate();
    await data.check?.();
    return data;
  } catch (cause) {
    // The address stays out of the message: it may hold a password.
    throw new StartError(`The database of DATABASE_URL cannot be used: ${describe(cause)}`, { cause });
  }
}

/** @throws {StartError} where the secret does not open what is sealed in the database. The tables are known to be right by now. */
export async function checkSecret(postern: Postern): Promise<void> {
  try {
    await postern.check();
  } catch (cause) {
    throw new StartError(`POSTERN_SECRET cannot be used with the database of DATABASE_URL: ${messageOf(cause)}`, { exitCode: 2, cause });
  }
}

/** The file beside the database for what is generated once. Undefined where the database goes when the process ends. */
export function secretsFile(url: string): string | undefined {
  const separator = url.indexOf(":");
  const place = url.slice(separator + 1);
  if (url === "memory:" || place === ":memory:") return undefined;
  switch (url.slice(0, separator)) {
    case "sqlite": {
      const path = place.startsWith("///") ? place.slice(2) : place;
      return join(dirname(path), `${basename(path, ".db")}.secrets.json`);
    }
    case "pglite":
      return `${place.replace(/\/+$/, "")}.secrets.json`;
    default: {
      // A server's database has no folder here; each one has a file of its own.
      const { host, pathname } = new URL(url);
      const name = createHash("sha256").update(`${host}${pathname}`).digest("hex").slice(0, 12);
      return join("data", `server-${name}.secrets.json`);
    }
  }
}

function messageOf(error: unknown): string {
  // PGlite throws objects that are no errors.
  return error instanceof Error ? error.message : typeof error === "string" ? error : inspect(error, { depth: 0, breakLength: Infinity });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const rest = inner === undefined ? "" : describe(inner);
  return [error.message, rest].filter((part) => part !== "").join(": ");
}
