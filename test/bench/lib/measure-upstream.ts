import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { UpstreamFigures } from "../upstream.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

const few = 10;

/**
 * Measures logins with few and with many connections of organizations, on SQLite, and on PostgreSQL if a server is
 * configured.
 * @param rounds the number of repetitions of each request
 * @returns rows of the table
 */
export async function upstreamRows(many: number, rounds: number, report: (text: string) => void): Promise<string[][]> {
  report(`${many.toLocaleString("en")} connections compared with ${few}`);
  const sqlite = (name: string): string => `sqlite:${join(work, name)}`;
  const rows = tableRows("SQLite", [sqlite("few.db"), sqlite("many.db")], many, rounds);
  return [...rows, ...((await onPostgres(2, (addresses) => tableRows("PostgreSQL", addresses, many, rounds))) ?? [])];
}

function tableRows(database: string, [small = "", large = ""]: readonly string[], many: number, rounds: number): string[][] {
  const args = [join(work, "upstream.mjs"), small, large, few, many, rounds].map(String);
  const printed = execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  // The output of `upstream.ts`.
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
