import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../operation.ts";
import { work } from "./build.ts";
import { prepareLogins, repeatInLanes } from "./measure-logins.ts";
import { onPostgres } from "./on-postgres.ts";
import { startProcess } from "./process.ts";

const callers = 8;

/**
 * Measures how long whole logins with a password take on PostgreSQL, eight in parallel: of one user, whose row all of
 * them update, and of eight users.
 * @param seconds how long each load runs.
 * @returns the rows of a Markdown table. `undefined` without POSTERN_TEST_POSTGRES_URL.
 */
export async function measureLoginTimes(seconds: number): Promise<string[][] | undefined> {
  return onPostgres(1, async ([database = ""]) => {
    const factsFile = join(work, "login-times.json");
    execFileSync(process.execPath, [join(work, "prepare.mjs"), database, factsFile, "1"], { stdio: "inherit" });
    // Written by `prepare.ts`.
    const facts = JSON.parse(readFileSync(factsFile, "utf8")) as Facts;
    const server = await startProcess(
      join(work, "servers/postern.mjs"),
      [database, factsFile, "argon2id"],
      "/.well-known/openid-configuration",
    );
    try {
      const login = await prepareLogins(server, facts);
      const groups = [
        { name: "one user", userOf: () => 0, times: new Array<number>() },
        { name: "eight users", userOf: (lane: number) => lane + 1, times: new Array<number>() },
      ];
      // The first turn warms up.
      for (const turn of [0, 1, 2, 3]) {
        for (const { userOf, times } of groups) {
          await repeatInLanes(callers, (seconds * 1000) / 3, async (lane) => {
            const began = performance.now();
            await login(userOf(lane));
            if (turn > 0) times.push(performance.now() - began);
          });
        }
      }
      const rows = groups.map(({ name, times }) => {
        const sorted = times.toSorted((a, b) => a - b);
        const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
        const milliseconds = [at(0.5), at(0.99), at(1 - 1e-9)].map((value) => `${value.toFixed(0)} ms`);
        return [name, `${(times.length / seconds).toFixed(0)}/s`, ...milliseconds, `${(at(0.99) / at(0.5)).toFixed(1)}x`];
      });
      const header = ["8 callers, logins of", "logins", "p50", "p99", "longest", "p99 / p50"];
      return [header, header.map((_, i) => (i === 0 ? "---" : "---:")), ...rows];
    } finally {
      await server.stop();
    }
  });
}
