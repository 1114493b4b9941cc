import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { ImportFigures } from "../import.ts";
import { work } from "./build.ts";
import { onPostgres } from "./on-postgres.ts";

/**
 * Measures imports of users in separate processes, on SQLite, and on PostgreSQL if a server is configured.
 * @param users the sizes of a small and a large import, because memory must not grow with the size
 * @returns rows of the table
 */
export async function importRows(
  users: { readonly few: number; readonly many: number },
  report: (text: string) => void,
): Promise<string[][]> {
  report(`an import of ${users.many.toLocaleString("en")} users`);
  const sqlite = (name: string): string => `sqlite:${join(work, name)}`;
  const rows = [row("SQLite", users, sqlite("import-few.db"), sqlite("import-many.db"))];
  const onServer = await onPostgres(2, ([few = "", many = ""]) => row("PostgreSQL", users, few, many));
  return onServer === undefined ? rows : [...rows, onServer];
}

function row(database: string, users: { readonly few: number; readonly many: number }, small: string, large: string): string[] {
  const [few, many] = [run(small, users.few), run(large, users.many)];
  const text = `${Math.round(users.many / many.seconds).toLocaleString("en")} users/s; heap ${many.heap.toFixed(0)} MiB more, process ${many.process.toFixed(0)} MiB; of ${users.few.toLocaleString("en")} users: heap ${few.heap.toFixed(0)} MiB, process ${few.process.toFixed(0)} MiB`;
  return [`${database}: import of ${users.many.toLocaleString("en")} users`, "-", text, "-", "-", "-"];
}

function run(address: string, users: number): ImportFigures {
  const printed = execFileSync(process.execPath, ["--expose-gc", join(work, "import.mjs"), address, String(users)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The output of `import.ts`.
  return JSON.parse(printed) as ImportFigures;
}
