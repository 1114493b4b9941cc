import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Facts } from "../operation.ts";
import { work } from "./build.ts";
import type { LoadProcess } from "./load-process.ts";
import { mixedShares, runMixedLoad, type MixedResult, type MixedServer } from "./mixed-load.ts";
import { startProcess } from "./process.ts";

const standalone = (file: string): string => fileURLToPath(new URL(`../../../examples/standalone/${file}`, import.meta.url));

/** One way to start the standalone server. */
interface Settings {
  readonly file: string;
  readonly flags: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/**
 * Parses settings such as `run.js --max-semi-space-size=4 MALLOC_ARENA_MAX=2`: a script of the standalone example,
 * options of Node.js and environment variables, in any order.
 */
function parseSettings(text: string): Settings {
  const words = text.split(" ").filter((word) => word !== "");
  const flags = words.filter((word) => word.startsWith("-"));
  const variables = words.filter((word) => !word.startsWith("-") && word.includes("="));
  const pairs = variables.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const);
  return { file: words.find((word) => word.endsWith(".js")) ?? "run.js", flags, env: Object.fromEntries(pairs) };
}

/**
 * Measures the memory and the CPU per request of the standalone server with different settings of V8 and of the C
 * library.
 * @param chosen the names of the settings.
 * @returns the rows of a Markdown table.
 */
export async function measureMemory(
  chosen: readonly string[],
  {
    facts,
    template,
    load,
    seconds,
    firstRound,
  }: {
    readonly facts: Facts;
    readonly template: string;
    readonly load: LoadProcess;
    readonly seconds: number;
    readonly firstRound: number;
  },
): Promise<string[][]> {
  execFileSync(process.execPath, [standalone("build.js")], { stdio: "inherit" });
  const servers: MixedServer[] = [];
  for (const [i, name] of chosen.entries()) {
    const { file, flags, env } = parseSettings(name);
    const database = join(work, `memory-${i}.db`);
    copyFileSync(template, database);
    const variables = {
      DATABASE_URL: `sqlite:${database}`,
      ISSUER: facts.issuer,
      PORT: "0",
      POSTERN_SECRET: facts.keyRing,
      LOG_FORMAT: "json",
      LOGINS_PER_MINUTE: "1000000",
    };
    const running = await startProcess(standalone(file), [], "/.well-known/openid-configuration", { flags, env: { ...variables, ...env } });
    servers.push({ name, kind: "postern", running });
  }
  const results = await runMixedLoad(servers, { facts, load, seconds, firstRound });
  for (const { running } of servers) await running.stop();

  const operations = Object.keys(mixedShares);
  const cpu = (result: MixedResult | undefined, operation: string): number => {
    const sum = result?.operations.get(operation);
    return sum === undefined ? Number.NaN : sum.cpu / sum.requests;
  };
  const base = results.get(chosen[0] ?? "");
  const header = ["settings", "idle", "after", "peak", ...operations, "all"];
  const rows = chosen.map((name) => {
    const result = results.get(name);
    const ratios = operations.map((operation) => cpu(result, operation) / cpu(base, operation));
    const cells = operations.map((operation, i) => `${cpu(result, operation).toFixed(0)} us; ${ratios[i]?.toFixed(2)}x`);
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    const memory = [result?.idle, result?.after, result?.peak].map((value) => `${value?.toFixed(0)} MiB`);
    return [name, ...memory, ...cells, `${mean.toFixed(2)}x`];
  });
  return [header, header.map((_, i) => (i === 0 ? "---" : "---:")), ...rows];
}
