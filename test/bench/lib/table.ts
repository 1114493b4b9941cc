import { availableParallelism } from "node:os";
import type { Operation, ServerName } from "../operation.ts";
import type { LoginCost } from "./measure-logins.ts";
import type { MixedResult } from "./mixed-load.ts";
import type { ScaleFigures } from "./measure-scale.ts";
import type { TenantScale } from "./measure-tenants.ts";
import { tenantRows } from "./table-tenants.ts";

/** One run of an operation on a server. CPU time in microseconds per request, latencies in milliseconds. */
export interface Sample {
  readonly perSecond: number;
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** One start of a server: milliseconds, and the memory in mebibytes when it is ready. */
export interface Start {
  readonly coldStart: number;
  readonly memory: number;
}

/** All samples: operations by `<operation>/<server>`, starts by server, and the mixed load by server. */
interface Measured {
  readonly operations: ReadonlyMap<string, Sample[]>;
  readonly starts: ReadonlyMap<string, Start[]>;
  readonly mixed: ReadonlyMap<string, MixedResult>;
  /** Password logins with argon2id and without a hash. */
  readonly logins?: { readonly hashed: LoginCost; readonly plain: LoginCost };
}

/** The maximum cost of lists in the large tenant, in milliseconds or as a multiple of the cost in the small tenant. */
const scaleTargets: { readonly [question: string]: { readonly factor: number } | { readonly milliseconds: number } } = {
  "first page of 50": { factor: 2 },
  "page of 50 by cursor": { factor: 2 },
  "page 10 of 50, by name": { factor: 2 },
  "page of 50 with totals": { milliseconds: 10 },
  'page of 50 for q=app_metadata.plan:"gold"': { milliseconds: 250 },
  "the same with totals": { milliseconds: 250 },
  'q=email:"…" with totals': { factor: 2 },
  "q=email:…* with totals": { milliseconds: 250 },
  'q=name:"…" with totals': { factor: 2 },
  'q=user_id:"…" with totals': { factor: 2 },
  "q=last_login:[…] with totals": { milliseconds: 50 },
};

/** Returns the table of all results in Markdown. */
export function resultTable(run: {
  readonly operations: readonly Operation[];
  readonly servers: readonly ServerName[];
  readonly measured: Measured;
  readonly scale: readonly ScaleFigures[];
  readonly tenants: readonly TenantScale[];
  readonly mixedSeconds: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}): string {
  const { operations, servers, measured, scale } = run;
  const rows: string[][] = [];
  const peers = servers.filter((name) => name !== "bare" && name !== "postern");

  for (const { name, target } of operations) {
    const cell = (server: ServerName): string => {
      const samples = measured.operations.get(`${name}/${server}`);
      if (samples === undefined) return "-";
      const cpu = median(samples, (sample) => sample.cpu);
      const text = `${round(median(samples, ({ perSecond }) => perSecond))}/s; ${cpu.toFixed(0)} us`;
      return server === "bare" ? text : `${text}${times(cpu, bare(name))}`;
    };
    const own = measured.operations.get(`${name}/postern`);
    const delay = own === undefined ? "-" : `${median(own, ({ p50 }) => p50).toFixed(1)} / ${median(own, ({ p99 }) => p99).toFixed(1)} ms`;
    rows.push([
      name,
      cell("bare"),
      cell("postern"),
      `${target}x`,
      verdict(own && median(own, ({ cpu }) => cpu), bare(name), target),
      delay,
      ...peers.map(cell),
    ]);
  }

  const serverRow = (
    name: string,
    value: (server: ServerName) => number | undefined,
    unit: string,
    limit: { readonly factor: number } | { readonly most: number },
  ): void => {
    const cell = (server: ServerName): string => {
      const found = value(server);
      return found === undefined ? "-" : `${found.toFixed(0)} ${unit}`;
    };
    const [own, bareValue] = [value("postern"), value("bare")];
    const target = "factor" in limit ? `${limit.factor}x` : `${limit.most} ${unit}`;
    const met = "factor" in limit ? verdict(own, bareValue, limit.factor) : own === undefined ? "-" : own <= limit.most ? "met" : "missed";
    rows.push([name, cell("bare"), cell("postern") + times(own, bareValue), target, met, "-", ...peers.map(cell)]);
  };
  const ofStarts = (of: (start: Start) => number) => (server: ServerName) => {
    const starts = measured.starts.get(server);
    return starts && median(starts, of);
  };
  serverRow(
    "cold start to the first 200",
    ofStarts(({ coldStart }) => coldStart),
    "ms",
    { factor: 1.8 },
  );
  serverRow(
    "memory, idle",
    ofStarts(({ memory }) => memory),
    "MiB",
    { most: 100 },
  );
  serverRow(`memory, after ${run.mixedSeconds} s of mixed load`, (server) => measured.mixed.get(server)?.after, "MiB", { most: 150 });

  const loginCell = (server: ServerName): string => {
    const sum = measured.mixed.get(server)?.operations.get("password login");
    return sum === undefined ? "-" : `${(sum.cpu / sum.requests / 1000).toFixed(1)} ms`;
  };
  rows.push(["password login, whole, argon2id: CPU", loginCell("bare"), loginCell("postern"), "-", "-", "-", ...peers.map(loginCell)]);

  const emptyCells = peers.map(() => "-");
  if (measured.logins !== undefined) {
    const { hashed, plain } = measured.logins;
    const milliseconds = (microseconds: number): string => `${(microseconds / 1000).toFixed(2)} ms`;
    const all = `${milliseconds(plain.cpu)}; with argon2id ${milliseconds(hashed.cpu)}`;
    rows.push([
      "password login, 5 requests: CPU without the hash",
      "-",
      all,
      "3 ms",
      plain.cpu <= 3000 ? "met" : "missed",
      "-",
      ...emptyCells,
    ]);
    const { longest, p99 } = hashed.stall;
    const stalls = `${longest.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; without hashing ${plain.stall.longest.toFixed(1)} ms`;
    rows.push([
      "longest stall of the event loop, 8 parallel sign-ins",
      "-",
      stalls,
      "20 ms",
      longest <= 20 ? "met" : "missed",
      "-",
      ...emptyCells,
    ]);
  }

  for (const { database, users, figures } of scale) {
    for (const [question, { small, large }] of Object.entries(figures)) {
      const limit = scaleTargets[question];
      if (limit === undefined) continue;
      const [target, met] =
        "factor" in limit ? [`${limit.factor}x`, large <= limit.factor * small] : [`${limit.milliseconds} ms`, large <= limit.milliseconds];
      const name = `${database}, ${users.toLocaleString("en")} users: ${question}`;
      rows.push([
        name,
        "-",
        `${large.toFixed(2)} ms; of 1,000: ${small.toFixed(2)} ms${times(large, small)}`,
        target,
        met ? "met" : "missed",
        "-",
        ...emptyCells,
      ]);
    }
  }

  rows.push(...tenantRows(run.tenants, peers.length));

  const header = ["operation", "bare", "Postern", "target", "", "p50 / p99", ...peers];
  const lines = [header, header.map((_, i) => (i === 0 ? "---" : "---:")), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [
    "# Cost of requests",
    "",
    `${new Date().toISOString().slice(0, 10)}; Node ${process.versions.node}, ${availableParallelism()} cores shared with the load; ${run.rounds} rounds of`,
    `${run.seconds} s, ${run.connections} connections, medians. Cells: requests per second; CPU of all threads per request; CPU relative to`,
    "`bare`. Compare the ratios: the absolute figures depend on the machine. Method and commands: [README.md](README.md).",
    "",
    ...lines,
    "",
  ].join("\n");

  function bare(name: string): number | undefined {
    const samples = measured.operations.get(`${name}/bare`);
    return samples && median(samples, ({ cpu }) => cpu);
  }
}

function median<T>(samples: readonly T[], of: (sample: T) => number): number {
  const sorted = samples.map(of).toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

function times(value: number | undefined, bareValue: number | undefined): string {
  return value === undefined || bareValue === undefined || bareValue === 0 ? "" : `; ${(value / bareValue).toFixed(2)}x`;
}

function verdict(value: number | undefined, bareValue: number | undefined, factor: number): string {
  if (value === undefined || bareValue === undefined) return "-";
  return value <= bareValue * factor ? "met" : "missed";
}

/** Rounds to three digits. More would be within the measurement error. */
function round(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en");
}
