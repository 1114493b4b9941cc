import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { numbersOf, type LoadRequest, type Facts, type ServerName } from "../operation.ts";
import { benchOperations } from "../operations.ts";
import type { Running } from "./process.ts";

/**
 * Checks that `bare` does the same work as Postern. Otherwise `bare` would not be a valid lower bound. For GET
 * requests, both responses must be equal. For writes, responses and tokens must have the same structure. Both must have
 * stored the same number of rows in each table, including the audit log.
 */
export async function sameAnswers(
  facts: Facts,
  rounds: number,
  running: ReadonlyMap<ServerName, Running>,
  databaseOf: (name: "bare" | "postern") => string,
): Promise<void> {
  const [bare, postern] = [running.get("bare"), running.get("postern")];
  if (bare === undefined || postern === undefined) return;
  for (const { name, requests: asks } of benchOperations) {
    const { first, connection } = numbersOf(rounds).warmUp;
    const ask = asks.bare?.(facts, first, { connection, answer: undefined });
    if (ask === undefined) continue;
    const [expected, found] = [await answerOf(bare, ask, facts), await answerOf(postern, ask, facts)];
    const view = ask.method === "GET" ? identity : structureOf;
    expectEqual(name, view(expected), view(found));
  }
  expectEqual("stored rows", rowsOf(databaseOf("bare")), rowsOf(databaseOf("postern")));
}

const identity = (value: unknown): unknown => value;

async function answerOf({ port }: Running, ask: LoadRequest, { issuer }: Facts): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${ask.path}`, {
    method: ask.method,
    headers: { ...ask.headers, host: new URL(issuer).host },
    ...(ask.body !== undefined && { body: ask.body }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/**
 * Returns the structure of a value: its sorted member names and the type of each value. A JWT is replaced by the
 * structure of its claims.
 */
function structureOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structureOf);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, structureOf(member)]),
    );
  }
  if (typeof value !== "string") return typeof value;
  const parts = value.split(".");
  if (parts.length !== 3 || !value.startsWith("eyJ")) return "string";
  return parts.slice(0, 2).map((part) => structureOf(JSON.parse(Buffer.from(part, "base64url").toString())));
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

function expectEqual(name: string, bare: unknown, postern: unknown): void {
  if (isDeepStrictEqual(bare, postern)) return;
  const shown = [bare, postern].map((value) => JSON.stringify(value).slice(0, 1500));
  throw new Error(`${name}: bare and Postern differ\n${shown.join("\n")}`);
}
