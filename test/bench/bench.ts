import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { memorySettings } from "../../examples/standalone/src/memory.ts";
import { bundlePrograms, work } from "./lib/build.ts";
import { startLoad } from "./lib/load-process.ts";
import { measureBuilds } from "./lib/measure-builds.ts";
import { measureLoginTimes } from "./lib/measure-login-times.ts";
import { measureLogs } from "./lib/measure-logs.ts";
import { measureLogins, type LoginCost } from "./lib/measure-logins.ts";
import { startProcess, type Running } from "./lib/process.ts";
import { measureMemory } from "./lib/measure-memory.ts";
import { mixedRounds, rotateOperations, runMixedLoad, type MixedServer } from "./lib/mixed-load.ts";
import { measureOverload } from "./lib/measure-overload.ts";
import { measureProcesses } from "./lib/measure-processes.ts";
import { importRows } from "./lib/measure-import.ts";
import { upstreamRows } from "./lib/measure-upstream.ts";
import { measureTelemetry } from "./lib/measure-telemetry.ts";
import { consoleRows, measureScale } from "./lib/measure-scale.ts";
import { measureTenants } from "./lib/measure-tenants.ts";
import { tenantRows } from "./lib/table-tenants.ts";
import { resultTable, type Sample, type Start } from "./lib/table.ts";
import { sameAnswers } from "./lib/same-answers.ts";
import { numbersOf, type Facts, type Operation, type ServerName } from "./operation.ts";
import { benchOperations } from "./operations.ts";

/**
 * Measures the cost of requests to Postern relative to the least possible cost. See README.md.
 * ⏎ pnpm bench [--quick] [--only <part of a name>] [--servers bare,postern] [--rounds 5] [--seconds 1.5] [--no-scale]
 * [--tenants] [--import] [--console 1000000] [--logs 10000000] [--upstream] [--processes 4] [--login-times] [--overload] [--profile]
 * [--builds another/checkout,a/third/one]
 * [--telemetry [--before another/test/bench/.work/servers/postern.mjs]]
 * [--memory [--settings "run.js;run.js --max-semi-space-size=8"]]
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    servers: { type: "string", default: "bare,postern,oidc-provider,better-auth" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    "no-scale": { type: "boolean", default: false },
    tenants: { type: "boolean", default: false },
    import: { type: "boolean", default: false },
    console: { type: "string" },
    upstream: { type: "boolean", default: false },
    logs: { type: "string" },
    processes: { type: "string" },
    "login-times": { type: "boolean", default: false },
    overload: { type: "boolean", default: false },
    telemetry: { type: "boolean", default: false },
    before: { type: "string" },
    builds: { type: "string" },
    memory: { type: "boolean", default: false },
    settings: { type: "string", default: "run.js;start.js" },
    profile: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 0.7 : 1.5));
const connections = 32;
const chosen = benchOperations.filter(({ name }) => name.includes(options.only));
const template = join(work, "template.db");
const factsFile = join(work, "facts.json");
const peers = fileURLToPath(new URL("peers", import.meta.url));

const files: { readonly [server in ServerName]: { readonly file: string; readonly first: string } } = {
  bare: { file: join(work, "servers/bare.mjs"), first: "/.well-known/openid-configuration" },
  postern: { file: join(work, "servers/postern.mjs"), first: "/.well-known/openid-configuration" },
  "oidc-provider": { file: join(peers, "oidc-provider.js"), first: "/.well-known/openid-configuration" },
  "better-auth": { file: join(peers, "better-auth.js"), first: "/api/auth/ok" },
};
const servers = options.servers.split(",").filter((name): name is ServerName => name in files);

rmSync(work, { recursive: true, force: true });
mkdirSync(work);
if (options.tenants) {
  await bundlePrograms(["tenants.ts", "sql.ts"]);
  const rows = tenantRows(await measureTenants(options.quick ? 1000 : 10_000, rounds, report), 0);
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options.import) {
  await bundlePrograms(["import.ts", "sql.ts"]);
  const rows = await importRows(options.quick ? { few: 1000, many: 10_000 } : { few: 10_000, many: 100_000 }, report);
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options.console !== undefined) {
  await bundlePrograms(["scale.ts", "sql.ts"]);
  const rows = consoleRows(Number(options.console), report);
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options.upstream) {
  await bundlePrograms(["upstream.ts", "sql.ts"]);
  const rows = await upstreamRows(options.quick ? 1000 : 10_000, options.quick ? 50 : 300, report);
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options.logs !== undefined) {
  await bundlePrograms(["logs.ts", "sql.ts"]);
  const rows = await measureLogs(Number(options.logs), report);
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options.processes !== undefined) {
  const server = process.env["POSTERN_TEST_POSTGRES_URL"];
  if (server === undefined) throw new Error("POSTERN_TEST_POSTGRES_URL is required: run the command with .ci/services.sh");
  await bundlePrograms(["prepare.ts", "servers/postern.ts", "lib/load.ts"]);
  const rows = await measureProcesses(server, { count: Number(options.processes), rounds, seconds });
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
if (options["login-times"]) {
  await bundlePrograms(["prepare.ts", "sql.ts", "servers/postern.ts"]);
  const rows = await measureLoginTimes(Number(options.seconds ?? 30));
  if (rows === undefined) throw new Error("POSTERN_TEST_POSTGRES_URL is required: run the command with .ci/services.sh");
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
report("bundling, and creating a database of 10,000 users");
await bundlePrograms(["prepare.ts", "scale.ts", "tenants.ts", "sql.ts", "servers/bare.ts", "servers/postern.ts", "lib/load.ts"]);
execFileSync(process.execPath, [join(work, "prepare.mjs"), template, factsFile, String(rounds + mixedRounds)], { stdio: "inherit" });
// Written by `prepare.ts`.
const facts = JSON.parse(readFileSync(factsFile, "utf8")) as Facts;
const needsPeers = options.builds === undefined && servers.some((name) => name === "oidc-provider" || name === "better-auth");
if (needsPeers && !existsSync(join(peers, "node_modules"))) {
  report("installing the peers outside the workspace");
  execFileSync("npm", ["install", "--no-package-lock", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: peers,
    stdio: "inherit",
  });
}

if (options.overload) {
  const rows = await measureOverload({ facts, template, factsFile, seconds: Number(options.seconds ?? 15) });
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  process.exit();
}
const load = startLoad();
if (options.telemetry) {
  const { before } = options;
  const rows = await measureTelemetry({ facts, factsFile, template, load, operations: chosen, rounds, seconds, connections, before });
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  load.stop();
  process.exit();
}
if (options.builds !== undefined) {
  const checkouts = options.builds.split(",");
  const rows = await measureBuilds({ checkouts, load, operations: chosen, rounds, seconds, connections });
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  load.stop();
  process.exit();
}
if (options.memory) {
  const names = options.settings.split(";");
  const rows = await measureMemory(names, { facts, template, load, seconds: Number(options.seconds ?? 240), firstRound: rounds });
  console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
  load.stop();
  process.exit();
}
const measured = { operations: new Map<string, Sample[]>(), starts: new Map<string, Start[]>() };
// The servers keep running for all rounds, because the comparison is about long-running servers, not about starts.
const running = new Map<ServerName, Running>();
for (const name of servers) running.set(name, await open(name, 0));
await sameAnswers(facts, rounds, running, (name) => join(work, `${name}-0.db`));
for (let round = 0; round < rounds; round++) {
  report(`round ${round + 1} of ${rounds}`);
  for (const operation of chosen) {
    for (const name of rotateOperations(servers, round)) {
      const server = running.get(name);
      if (server !== undefined && operation.requests[name] !== undefined) {
        add(measured.operations, `${operation.name}/${name}`, await measure(operation, name, server, round));
      }
    }
  }
}
for (const server of running.values()) await server.stop();
report("starts");
for (let turn = 0; turn <= 2 * rounds; turn++) {
  for (const name of rotateOperations(servers, turn)) {
    const server = await open(name, 1);
    // The first start fills the database and Node's compile cache.
    if (turn > 0) add(measured.starts, name, { coldStart: server.coldStart, memory: server.memory() });
    await server.stop();
  }
}
const mixedSeconds = Number(options.seconds ?? (options.quick ? 12 : 240));
report(`mixed load, ${mixedSeconds} s for each server`);
const mixedServers: MixedServer[] = [];
for (const kind of servers) mixedServers.push({ name: kind, kind, running: await open(kind, 2) });
const mixed = await runMixedLoad(mixedServers, { facts, load, seconds: mixedSeconds, firstRound: rounds });
for (const server of mixedServers) await server.running.stop();
load.stop();

const logins =
  servers.includes("postern") && options.only === "" ? { hashed: await loginsOf("argon2id"), plain: await loginsOf("no-hash") } : undefined;
const scale = options["no-scale"]
  ? []
  : await measureScale(options.quick ? { lists: 20_000, searches: 20_000 } : { lists: 100_000, searches: 1_000_000 }, report);
const tenants = options["no-scale"] ? [] : await measureTenants(options.quick ? 1000 : 10_000, rounds, report);
const text = resultTable({
  operations: chosen,
  servers,
  measured: { ...measured, mixed, ...(logins && { logins }) },
  mixedSeconds,
  scale,
  tenants,
  rounds,
  seconds,
  connections,
});
console.log(`\n${text}`);
const isComplete = !options.quick && options.only === "" && servers.length === Object.keys(files).length && scale.length > 0;
if (isComplete) writeFileSync(fileURLToPath(new URL("RESULTS.md", import.meta.url)), text);
else report("incomplete table: RESULTS.md is unchanged");

/** Starts a server on its copy of the database with this number, which is made by the first start. */
async function open(name: ServerName, copy: number): Promise<Running> {
  const database = join(work, `${name}-${copy}.db`);
  if (!existsSync(database)) copyFileSync(template, database);
  const { file, first } = files[name];
  if (name !== "postern") return startProcess(file, [database, factsFile], first);
  const flags = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${work}`, "--enable-source-maps"] : [];
  // As `start.js` of the standalone example.
  const settings = memorySettings({ flags, env: process.env });
  return startProcess(file, [database, factsFile], first, { flags: [...settings.flags, ...flags], env: settings.env });
}

/** Returns the cost of a login at a Postern server with this password hashing. */
async function loginsOf(hashing: "argon2id" | "no-hash"): Promise<LoginCost> {
  report(`logins, ${hashing}`);
  const database = join(work, `${hashing}.db`);
  copyFileSync(template, database);
  const server = await startProcess(files.postern.file, [database, factsFile, hashing], files.postern.first);
  const logins = await measureLogins(server, facts, options.quick ? 3 : 10);
  await server.stop();
  return logins;
}

async function measure(operation: Operation, name: ServerName, server: Running, round: number): Promise<Sample> {
  const { warmUp, measured: counted } = numbersOf(round);
  const order = {
    server: name,
    operation: operation.name,
    port: server.port,
    facts: { ...facts, peer: server.peer },
    connections,
    atMost: operation.maxRequests ?? Number.MAX_SAFE_INTEGER,
  };
  await load.run({ ...order, seconds: round === 0 ? 2 : 0.5, numbers: warmUp });
  const before = server.cpu();
  const result = await load.run({ ...order, seconds, numbers: counted });
  const cpu = (server.cpu() - before) / result.requests;
  if (result.failures > 0) throw new Error(`${operation.name} on ${name}: ${result.failures} failed. ${result.firstFailure}`);
  return { perSecond: (result.requests / result.elapsed) * 1000, cpu, p50: result.p50, p99: result.p99 };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function report(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
