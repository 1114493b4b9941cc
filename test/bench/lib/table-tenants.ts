import type { TenantFigures } from "../tenants.ts";
import { few as smallSize, type TenantScale } from "./measure-tenants.ts";

/** The maximum cost of many tenants relative to few. */
const target = 1.1;

/** The maximum milliseconds of a request that counts the tenants: an exact total reads an index entry per tenant. */
const totalTarget = 10;

const totalRequest = "first 10 tenants, with the total";

/**
 * Returns the table rows that compare an installation with few tenants and one with many.
 * @param peers the number of columns that stay empty
 */
export function tenantRows(scales: readonly TenantScale[], peers: number): string[][] {
  const emptyCells = Array.from({ length: peers }, () => "-");
  return scales.flatMap(({ database, tenants, few, many, sync }) => {
    const named = `${database}, ${tenants.toLocaleString("en")} tenants`;
    const row = (name: string, unit: string, of: (figures: TenantFigures) => number): string[] => {
      const [small, large] = [few, many].map((all) => median(all.map(of)));
      if (small === undefined || large === undefined) return [];
      const text = `${large.toFixed(2)} ${unit}; of ${smallSize}: ${small.toFixed(2)} ${unit}; ${(large / small).toFixed(2)}x`;
      const [shown, limit] = name === totalRequest ? [`${totalTarget} ms`, totalTarget] : [`${target}x`, target * small];
      return [`${named}: ${name}`, "-", text, shown, large <= limit ? "met" : "missed", "-", ...emptyCells];
    };
    const questions = Object.keys(few[0]?.requests ?? {});
    return [
      row("start to the first token", "ms", ({ start }) => start),
      row("heap", "MiB", ({ memory }) => memory),
      ...questions.map((question) => row(question, "ms", ({ requests }) => requests[question] ?? Number.NaN)),
      [
        `${named}: copying a role to all`,
        "-",
        `${sync.seconds.toFixed(1)} s; heap ${sync.heap.toFixed(0)} MiB more`,
        "-",
        "-",
        "-",
        ...emptyCells,
      ],
    ];
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
