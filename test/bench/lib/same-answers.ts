import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { numbersOf, type Ask, type Facts, type ServerName } from "../operation.ts";
import { operations } from "../operations.ts";
import type { Running } from "./process.ts";

/**
 * A floor that did less than Postern does would be no floor. Where both read, both must say the same; where both write, answers and tokens must be of the
 * same form, and both must have stored as many rows: those of the audit log and all others.
 */
export async function sameAnswers(
  facts: Facts,
  rounds: number,
  running: ReadonlyMap<ServerName, Running>,
  databaseOf: (name: "bare" | "postern") => string,
): Promise<void> {
  const [bare, postern] = [running.get("bare"), running.get("postern")];
  if (bare === undefined || postern === undefined) return;
  for (const { name, asks } of operations) {
    const { first, connection } = numbersOf(rounds).warmUp;
    const ask = asks.bare?.(facts, first, { connection, answer: undefined });
    if (ask === undefined) continue;
    const [expected, found] = [await answerOf(bare, ask, facts), await answerOf(postern, ask, facts)];
    const view = ask.method === "GET" ? same : form;
    equal(name, view(expected), view(found));
  }
  equal("stored rows", rowsOf(databaseOf("bare")), rowsOf(databaseOf("postern")));
}

const same = (value: unknown): unknown => value;

async function answerOf({ port }: Running, ask: Ask, { issuer }: Facts): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${ask.path}`, {
    method: ask.method,
    headers: { ...ask.headers, host: new URL(issuer).host },
    ...(ask.body !== undefined && { body: ask.body }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** The form of a value: its names in order, and the kind of everything; what a JWT says likewise. */
function form(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(form);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, form(member)]),
    );
  }
  if (typeof value !== "string") return typeof value;
  const parts = value.split(".");
  if (parts.length !== 3 || !value.startsWith("eyJ")) return "string";
  return parts.slice(0, 2).map((part) => form(JSON.parse(Buffer.from(part, "base64url").toString())));
}

function rowsOf(path: string): unknown {
  const database = new Database(path, { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' and name like 'postern\\_%' escape '\\'")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [name, database.prepare<[], { n: number }>(`select count(*) as n from "${name}"`).get()?.n]),
    );
  } finally {
    database.close();
  }
}

function equal(what: string, bare: unknown, postern: unknown): void {
  if (isDeepStrictEqual(bare, postern)) return;
  const shown = [bare, postern].map((value) => JSON.stringify(value).slice(0, 1500));
  throw new Error(`${what}: bare and Postern differ\n${shown.join("\n")}`);
}
