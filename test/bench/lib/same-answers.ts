import { isDeepStrictEqual } from "node:util";
import type { Facts, ServerName } from "../operation.ts";
import { operations } from "../operations.ts";
import type { Running } from "./process.ts";

/** A floor that answered less than Postern does would be no floor: where both read, both must say the same. */
export async function sameAnswers(facts: Facts, running: ReadonlyMap<ServerName, Running>): Promise<void> {
  const [bare, postern] = [running.get("bare"), running.get("postern")];
  if (bare === undefined || postern === undefined) return;
  for (const { name, asks } of operations) {
    const ask = asks.bare?.(facts, 1);
    if (ask === undefined || ask.method !== "GET") continue;
    const answers = await Promise.all(
      [bare, postern].map(async ({ port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${ask.path}`, {
          headers: { ...ask.headers, host: new URL(facts.issuer).host },
        });
        return { status: response.status, body: (await response.json()) as unknown };
      }),
    );
    if (!isDeepStrictEqual(answers[0], answers[1])) {
      throw new Error(`${name}: bare and Postern differ\n${answers.map((answer) => JSON.stringify(answer).slice(0, 1500)).join("\n")}`);
    }
  }
}
