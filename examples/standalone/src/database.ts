import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { inspect } from "node:util";
import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { StartError } from "./start-error.ts";

/** Opens the database, runs its migrations, and checks that its tables match this version. */
export async function openData(url: string): Promise<DataAdapter> {
  if (url === "memory:") return createMemoryAdapter();
  try {
    const data = await openDatabase(url);
    await data.migrate();
    await data.check?.();
    return data;
  } catch (cause) {
    // The message does not contain the URL, which may contain a password.
    throw new StartError(`The database that DATABASE_URL names cannot be used: ${describe(cause)}`, { cause });
  }
}

/**
 * @throws {StartError} if the secret does not decrypt the data in the database. Call this function after {@link
 * openData}, which checks the tables.
 */
export async function checkDatabaseSecret(postern: Postern): Promise<void> {
  try {
    await postern.check();
  } catch (cause) {
    throw new StartError(`POSTERN_SECRET cannot be used with this database: ${messageOf(cause)}`, { exitCode: 2, cause });
  }
}

/** Returns the file for generated values, next to the database. Returns undefined for an in-memory database. */
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
      // A database on a server has no local folder. Each such database gets a separate file in the folder `data`.
      const { host, pathname } = new URL(url);
      const name = createHash("sha256").update(`${host}${pathname}`).digest("hex").slice(0, 12);
      return join("data", `server-${name}.secrets.json`);
    }
  }
}

function messageOf(error: unknown): string {
  // PGlite also throws objects that are not instances of Error.
  return error instanceof Error ? error.message : typeof error === "string" ? error : inspect(error, { depth: 0, breakLength: Infinity });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const rest = inner === undefined ? "" : describe(inner);
  return [error.message, rest].filter((part) => part !== "").join(": ");
}
