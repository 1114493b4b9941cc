import { numbersOf, type Facts, type Operation } from "../operation.ts";
import type { LoadProcess } from "./load-process.ts";
import type { Running } from "./process.ts";

/** The load of a paired measurement. */
interface PairedLoad {
  readonly facts: Facts;
  readonly load: LoadProcess;
  readonly seconds: number;
  readonly connections: number;
}

/** Runs an operation of a round and returns the CPU time per request in microseconds. */
export async function cpuPerRequest(
  { load, facts, seconds, connections }: PairedLoad,
  { name, maxRequests = Number.MAX_SAFE_INTEGER }: Operation,
  server: Running,
  round: number,
): Promise<number> {
  const { warmUp, measured } = numbersOf(round);
  const order = { server: "postern", operation: name, port: server.port, facts, connections, atMost: maxRequests } as const;
  await load.run({ ...order, seconds: round === 0 ? 2 : 0.3, numbers: warmUp });
  const before = server.cpu();
  const result = await load.run({ ...order, seconds, numbers: measured });
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} failed. ${result.firstFailure}`);
  return (server.cpu() - before) / result.requests;
}

/** Returns the median of the ratios of pairs, with their quartiles. */
export function ratioText(values: readonly number[], base: readonly number[]): string {
  const ratios = values.map((value, i) => value / (base[i] ?? Number.NaN));
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2));
  return `${middle} (${low} to ${high})`;
}

/** Returns a quantile, interpolated between two values. @param part 0.5 for the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
