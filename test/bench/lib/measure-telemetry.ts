import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Facts, Operation } from "../operation.ts";
import { work } from "./build.ts";
import type { LoadProcess } from "./load-process.ts";
import { cpuPerRequest, quantile, ratioText } from "./paired.ts";
import { startProcess, type Running } from "./process.ts";

const sdk = fileURLToPath(new URL("../telemetry", import.meta.url));

/** One way to run the server. `before`: another build, without the option. */
type Setting = "before" | "off" | "on";

/** What {@link measureTelemetry} needs. */
interface TelemetryBench {
  readonly facts: Facts;
  readonly factsFile: string;
  readonly template: string;
  readonly load: LoadProcess;
  readonly operations: readonly Operation[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** The bundled server of another build, to compare with the option off. */
  readonly before: string | undefined;
}

/**
 * Measures the CPU per request with the option `telemetry` off and on, in pairs: in each round, the servers take turns
 * within a few seconds, in the reverse order of the round before. With `before`, another build is the first of them.
 * @returns the rows of a Markdown table: medians in microseconds, and the ratio of each pair as its median and its
 * quartiles.
 */
export async function measureTelemetry(bench: TelemetryBench): Promise<string[][]> {
  if (!existsSync(join(sdk, "node_modules"))) {
    execFileSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: sdk, stdio: "inherit" });
  }
  const settings: readonly Setting[] = bench.before === undefined ? ["off", "on"] : ["before", "off", "on"];
  const servers = new Map<Setting, Running>();
  for (const setting of settings) servers.set(setting, await open(bench, setting));
  const rows = [["operation", ...settings, ...(bench.before === undefined ? [] : ["off / before"]), "on / off"]];
  for (const operation of bench.operations) {
    const samples = new Map<Setting, number[]>(settings.map((setting) => [setting, []]));
    for (let round = 0; round < bench.rounds; round++) {
      for (const setting of round % 2 === 0 ? settings : settings.toReversed()) {
        const server = servers.get(setting);
        if (server !== undefined) samples.get(setting)?.push(await cpuPerRequest(bench, operation, server, round));
      }
    }
    const of = (setting: Setting): readonly number[] => samples.get(setting) ?? [];
    rows.push([
      operation.name,
      ...settings.map((setting) => String(Math.round(quantile(of(setting), 0.5)))),
      ...(bench.before === undefined ? [] : [ratioText(of("off"), of("before"))]),
      ratioText(of("on"), of("off")),
    ]);
  }
  for (const server of servers.values()) await server.stop();
  return rows;
}

async function open({ template, factsFile, before }: TelemetryBench, setting: Setting): Promise<Running> {
  const database = join(work, `telemetry-${setting}.db`);
  copyFileSync(template, database);
  const file = setting === "before" && before !== undefined ? before : join(work, "servers/postern.mjs");
  const env = setting === "on" ? { POSTERN_BENCH_TELEMETRY: join(sdk, "register.js") } : {};
  return startProcess(file, [database, factsFile], "/.well-known/openid-configuration", { env });
}
