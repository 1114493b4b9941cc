import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { form, type Facts, type Operation } from "../operation.ts";
import { work } from "./build.ts";
import type { LoadProcess } from "./load-process.ts";
import { rotateOperations } from "./mixed-load.ts";
import { cpuPerRequest, quantile, ratioText } from "./paired.ts";
import { startProcess, type Running } from "./process.ts";

/** What {@link measureBuilds} needs. */
interface BuildsBench {
  /** Other checkouts, in each of which the benchmark ran within the last hour. */
  readonly checkouts: readonly string[];
  readonly load: LoadProcess;
  readonly operations: readonly Operation[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** A build with its files. */
interface Build {
  readonly name: string;
  readonly folder: string;
}

/** The values of one figure by the name of the build, in the order of the rounds. */
type Samples = ReadonlyMap<string, number[]>;

/** The number of measured starts of each build. */
const starts = 12;

const metadata = "/.well-known/openid-configuration";

/**
 * Compares this build with other builds: the CPU per request, the start, and the memory. The builds take turns within
 * each round, each on the database that its own benchmark prepared.
 * @returns the rows of a Markdown table: medians, and the ratio of this build to each other build as the median of the
 * pairs and its quartiles.
 */
export async function measureBuilds(bench: BuildsBench): Promise<string[][]> {
  const others = bench.checkouts.map((checkout) => ({ name: checkout, folder: join(checkout, "test/bench/.work") }));
  const own = { name: "this build", folder: work };
  const builds = [...others, own];
  const names = builds.map(({ name }) => name);
  const rows = [["figure", ...names, ...others.map(({ name }) => `this build / ${name}`)]];
  const addRow = (figure: string, samples: Samples): void => {
    const of = (name: string): readonly number[] => samples.get(name) ?? [];
    const medians = names.map((name) => String(Math.round(quantile(of(name), 0.5))));
    rows.push([figure, ...medians, ...others.map(({ name }) => ratioText(of(own.name), of(name)))]);
  };

  const running = new Map<Build, { readonly server: Running; readonly facts: Facts }>();
  for (const build of builds) {
    copyTemplate(build);
    const server = await open(build);
    running.set(build, { server, facts: await factsOf(build, server) });
  }
  for (const operation of bench.operations) {
    const samples = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < bench.rounds; round++) {
      for (const build of rotateOperations(builds, round)) {
        const opened = running.get(build);
        if (opened === undefined) continue;
        samples.get(build.name)?.push(await cpuPerRequest({ ...bench, facts: opened.facts }, operation, opened.server, round));
      }
    }
    addRow(`${operation.name}, us`, samples);
  }
  addRow("memory after the load, MiB", new Map([...running].map(([{ name }, { server }]) => [name, [server.memory()]])));
  for (const { server } of running.values()) await server.stop();

  const costs = await measureStarts(builds);
  const figures: { readonly [figure: string]: (start: StartCost) => number } = {
    "cold start, ms": ({ coldStart }) => coldStart,
    "CPU of the start, ms": ({ cpu }) => cpu,
    "memory when idle, MiB": ({ memory }) => memory,
  };
  for (const [figure, valueOf] of Object.entries(figures)) {
    addRow(figure, new Map([...costs].map(([name, list]) => [name, list.map(valueOf)])));
  }
  return rows;
}

/** The cost of one start until the first response: milliseconds, and the memory in mebibytes. */
interface StartCost {
  readonly coldStart: number;
  readonly cpu: number;
  readonly memory: number;
}

/** Starts the builds in turns. @returns the costs by the name of the build. */
async function measureStarts(builds: readonly Build[]): Promise<ReadonlyMap<string, readonly StartCost[]>> {
  const costs = new Map<string, StartCost[]>(builds.map(({ name }) => [name, []]));
  for (let turn = 0; turn <= starts; turn++) {
    for (const build of rotateOperations(builds, turn)) {
      const server = await open(build);
      // The first start fills Node's compile cache.
      if (turn > 0) costs.get(build.name)?.push({ coldStart: server.coldStart, cpu: server.cpu() / 1000, memory: server.memory() });
      await server.stop();
    }
  }
  return costs;
}

function databaseOf({ folder }: Build): string {
  return join(folder, "builds.db");
}

/** Copies the prepared database of a build. */
function copyTemplate(build: Build): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${databaseOf(build)}${suffix}`, { force: true });
  copyFileSync(join(build.folder, "template.db"), databaseOf(build));
}

function open(build: Build): Promise<Running> {
  return startProcess(join(build.folder, "servers/postern.mjs"), [databaseOf(build), join(build.folder, "facts.json")], metadata);
}

/**
 * Reads the facts of a build. Its Management API tokens get the same scopes in each build: a token with every scope grows
 * with each release, and with it the cost of a request.
 */
async function factsOf({ folder }: Build, { port }: Running): Promise<Facts> {
  // Written by `prepare.ts` of the build.
  const facts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as Facts;
  const tokenOf = async (clientId: string): Promise<string> => {
    const { headers, body } = form({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: facts.secret,
      audience: `${facts.issuer}api/v2/`,
      scope: "read:users create:users",
    });
    const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, { method: "POST", ...(headers && { headers }), body: body ?? "" });
    if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
    const { access_token: token } = (await response.json()) as { readonly access_token: string };
    return token;
  };
  return { ...facts, token: await tokenOf("bench-manager"), otherToken: await tokenOf("bench-manager-es256") };
}
