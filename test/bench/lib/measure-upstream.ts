import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { UpstreamFigures } from "../upstream.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

const few = 10;

/** Measures logins beside few and many connections of organizations, on SQLite, and on PostgreSQL where there is a server: rows for the table. @param rounds how often each thing is asked. */
export function upstreamRows(many: number, rounds: number, say: (text: string) => void): string[][] {
  say(`${many.toLocaleString("en")} connections beside ${few}`);
  const sqlite = (name: string): string => `sqlite:${join(work, name)}`;
  const rows = tableRows("SQLite", [sqlite("few.db"), sqlite("many.db")], many, rounds);
  return [...rows, ...(onPostgres(2, (addresses) => tableRows("PostgreSQL", addresses, many, rounds)) ?? [])];
}

function tableRows(database: string, [small = "", large = ""]: readonly string[], many: number, rounds: number): string[][] {
  const sent = [join(work, "upstream.mjs"), small, large, few, many, rounds].map(String);
  const printed = execFileSync(process.execPath, sent, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  // What `upstream.ts` prints.
  const { requests } = JSON.parse(printed) as UpstreamFigures;
  return Object.entries(requests).map(([question, [ofFew, ofMany]]) => [
    `${database}, ${many.toLocaleString("en")} connections: ${question}`,
    "-",
    `${ofMany.toFixed(2)} ms; of ${few}: ${ofFew.toFixed(2)} ms; ${(ofMany / ofFew).toFixed(2)}x`,
    "-",
    "-",
    "-",
  ]);
}
