import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { numbersOf, type Facts } from "../operation.ts";
import { work } from "./build.ts";
import { startLoad, type LoadProcess } from "./load-process.ts";
import { startProcess, type Running } from "./process.ts";

const measured = ["client_credentials RS256", "client_credentials ES256", "refresh, rotating", "userinfo", "user by id", "create user"];
const connections = 32;

/** Processes that serve one database together. */
interface Group {
  readonly name: string;
  readonly processes: readonly { readonly server: Running; readonly load: LoadProcess }[];
}

/** The requests of a group, and their CPU time in microseconds: of Postern, and of PostgreSQL. */
interface Cost {
  readonly requests: number;
  readonly elapsed: number;
  readonly own: number;
  readonly database: number;
}

/**
 * Compares one process with several processes on one PostgreSQL database. The two groups take turns, with the same
 * number of connections in total.
 * @param server the URL of a PostgreSQL server on which databases can be created.
 * @returns the rows of a Markdown table.
 */
export async function measureProcesses(
  server: string,
  { count, rounds, seconds }: { readonly count: number; readonly rounds: number; readonly seconds: number },
): Promise<string[][]> {
  const database = `postern_bench_${randomBytes(4).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${database}`);
  const address = Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const { rows } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
  const postmaster = statOf(rows[0]?.pid ?? 0).parent;
  const groups: Group[] = [];
  try {
    const factsFile = join(work, "processes.json");
    execFileSync(process.execPath, [join(work, "prepare.mjs"), address, factsFile, String(2 * (rounds + 1))], { stdio: "inherit" });
    // PostgreSQL caches the plan of a prepared statement, which it would otherwise make without statistics.
    const filled = new pg.Client({ connectionString: address });
    await filled.connect();
    await filled.query("vacuum analyze");
    await filled.end();
    // Written by `prepare.ts`.
    const facts = JSON.parse(readFileSync(factsFile, "utf8")) as Facts;
    const start = async (name: string, size: number): Promise<Group> => {
      const processes: { server: Running; load: LoadProcess }[] = [];
      for (let i = 0; i < size; i++) {
        const running = await startProcess(join(work, "servers/postern.mjs"), [address, factsFile], "/.well-known/openid-configuration");
        processes.push({ server: running, load: startLoad() });
      }
      return { name, processes };
    };
    groups.push(await start("1 process", 1), await start(`${count} processes`, count));
    const table: string[][] = [];
    for (const operation of measured) {
      const costs = new Map<string, Cost[]>();
      for (let round = 0; round <= rounds; round++) {
        for (const [turn, group] of groups.entries()) {
          const cost = await run(group, { operation, facts, seconds, round: 2 * round + turn, postmaster });
          // The first round warms up.
          if (round > 0) costs.set(group.name, [...(costs.get(group.name) ?? []), cost]);
        }
      }
      table.push(toRow(operation, groups, costs));
    }
    const header = ["operation", ...groups.map(({ name }) => name), "CPU"];
    return [header, header.map((_, i) => (i === 0 ? "---" : "---:")), ...table];
  } finally {
    for (const { processes } of groups) {
      for (const { server: running, load } of processes) {
        load.stop();
        await running.stop();
      }
    }
    await client.query(`drop database ${database} with (force)`);
    await client.end();
  }
}

async function run(
  { processes }: Group,
  {
    operation,
    facts,
    seconds,
    round,
    postmaster,
  }: { readonly operation: string; readonly facts: Facts; readonly seconds: number; readonly round: number; readonly postmaster: number },
): Promise<Cost> {
  const own = (): number => processes.reduce((sum, { server }) => sum + server.cpu(), 0);
  const [ownBefore, databaseBefore] = [own(), cpuOfCluster(postmaster)];
  const { first, connection } = numbersOf(round).measured;
  const each = connections / processes.length;
  const results = await Promise.all(
    processes.map(({ server, load }, i) =>
      load.run({
        server: "postern",
        operation,
        port: server.port,
        facts,
        connections: each,
        seconds,
        atMost: Number.MAX_SAFE_INTEGER,
        numbers: { first: (first + 1) * 1_000_000 + i * 100_000, connection: connection + i * each },
      }),
    ),
  );
  const failed = results.find(({ failures }) => failures > 0);
  if (failed !== undefined) throw new Error(`${operation}: ${failed.firstFailure}`);
  return {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    elapsed: Math.max(...results.map(({ elapsed }) => elapsed)),
    own: own() - ownBefore,
    database: cpuOfCluster(postmaster) - databaseBefore,
  };
}

function toRow(operation: string, groups: readonly Group[], costs: ReadonlyMap<string, readonly Cost[]>): string[] {
  const sums = groups.map(({ name }) => {
    const all = costs.get(name) ?? [];
    const sum = (of: (cost: Cost) => number): number => all.reduce((total, cost) => total + of(cost), 0);
    const requests = sum((cost) => cost.requests);
    const [own, database] = [sum((cost) => cost.own) / requests, sum((cost) => cost.database) / requests];
    return { perSecond: (requests / sum(({ elapsed }) => elapsed)) * 1000, own, database };
  });
  const [one, several] = sums.map(({ own, database }) => own + database);
  const cells = sums.map(
    ({ perSecond, own, database }) => `${Math.round(perSecond).toLocaleString("en")}/s; ${own.toFixed(0)} + ${database.toFixed(0)} us`,
  );
  return [operation, ...cells, `${((several ?? Number.NaN) / (one ?? Number.NaN)).toFixed(2)}x`];
}

/** Returns the CPU time of all processes of a PostgreSQL server in microseconds, including those that have ended. */
function cpuOfCluster(postmaster: number): number {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [statOf(Number(name))];
      } catch {
        // The process has ended. The postmaster's own figures include it.
        return [];
      }
    })
    .filter(({ parent }) => parent === postmaster);
  const main = statOf(postmaster);
  return [main.cpu, main.cpuOfChildren, ...children.map(({ cpu }) => cpu)].reduce((sum, value) => sum + value, 0);
}

/** Reads `/proc/<pid>/stat`. The kernel counts times in hundredths of a second. */
function statOf(pid: number): { readonly parent: number; readonly cpu: number; readonly cpuOfChildren: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in parentheses, which may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const time = (index: number): number => ((fields[index] ?? 0) + (fields[index + 1] ?? 0)) * 10_000;
  return { parent: fields[1] ?? 0, cpu: time(11), cpuOfChildren: time(13) };
}
