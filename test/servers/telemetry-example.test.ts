import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { testUser, webClient } from "../support/code-flow-fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { copyTarballs, npmEnv } from "./support/packed.ts";

const run = promisify(execFile);
const example = join(import.meta.dirname, "../../examples/telemetry");
const [prometheus, promtool] = ["/usr/bin/prometheus", "/usr/bin/promtool"];
const secret = "the-backend's-own-0123456789";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
const { panels } = JSON.parse(readFileSync(join(example, "grafana-dashboard.json"), "utf8")) as Dashboard;
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

test("promtool accepts the alert rules, and each alert says what to do", async ({ skip }) => {
  const text = readFileSync(join(example, "alerts.yml"), "utf8");
  expect(text.match(/- alert: /g)?.length).toBe(text.match(/^ +runbook: \S/gm)?.length);
  if (!existsSync(promtool)) return skip("Debian's package prometheus is not installed");
  await run(promtool, ["check", "rules", join(example, "alerts.yml")]);
  await run(promtool, ["check", "config", join(example, "prometheus.yml")]);
});

test(
  "the example compiles, Prometheus scrapes it, and each panel of the dashboard has data after a mixed load",
  { timeout: 900_000 },
  async ({ skip }) => {
    if (!isNightly) return skip(onlyNightly);
    if (!existsSync(prometheus)) return skip("Debian's package prometheus is not installed");
    const folder = mkdtempSync(join(tmpdir(), "postern-telemetry-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(example, folder, { recursive: true });
    const tarballs = await copyTarballs(["core", "app", "hono", "kysely"], folder);
    const options = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    await fromRegistry("the example", skip, () => run("npm", ["install", ...options, ...tarballs], { cwd: folder, env: npmEnv }));
    await run(join(folder, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder });

    const [port, metricsPort, prometheusPort] = [await freePort(), await freePort(), await freePort()];
    const issuer = `http://localhost:${port}/auth/`;
    const collector = await openCollector();
    const env = {
      ...npmEnv,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ISSUER: issuer,
      DATABASE_URL: "sqlite::memory:",
      BACKEND_SECRET: secret,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    start(spawn(process.execPath, ["server.ts"], { cwd: folder, env, stdio: "inherit" }));
    await expect.poll(() => fetch(`http://localhost:${port}/ready`).then(({ status }) => status, String), { timeout: 60_000 }).toBe(200);

    const configuration = readFileSync(join(folder, "prometheus.yml"), "utf8");
    writeFileSync(join(folder, "fast.yml"), configuration.replaceAll("15s", "1s").replace("9464", String(metricsPort)));
    const listen = `--web.listen-address=127.0.0.1:${prometheusPort}`;
    const files = ["--config.file=fast.yml", "--storage.tsdb.path=data"];
    start(spawn(prometheus, [...files, listen, "--log.level=error"], { cwd: folder, stdio: "inherit" }));

    const load = await openLoad(issuer);
    let missing: readonly { readonly title: string; readonly expr: string }[] = queries;
    for (let round = 0; round < 10 && missing.length > 0; round++) {
      await load(round);
      await wait(4000);
      const found = await Promise.all(missing.map(async (query) => ({ query, hasData: await hasData(prometheusPort, query.expr) })));
      missing = found.flatMap(({ query, hasData: isFound }) => (isFound ? [] : [query]));
    }
    expect(missing).toEqual([]);
    expect(collector.received).toContain("/v1/traces");
  },
);

/** Receives OTLP over HTTP. `received` are the paths of the requests. */
async function openCollector(): Promise<{ readonly url: string; readonly received: ReadonlySet<string> }> {
  const received = new Set<string>();
  const server = createServer((request, response) => {
    received.add(String(request.url));
    request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // The address of a server that listens on a port is an AddressInfo.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Creates a user and clients. @returns a function that sends a mixed load: logins, failures, tokens, lists and messages. */
async function openLoad(issuer: string): Promise<(round: number) => Promise<void>> {
  const post = async (path: string, body: object, headers: { readonly [name: string]: string } = {}): Promise<string> => {
    const response = await fetch(issuer + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return response.text();
  };
  const machine = { clientId: "backend", secret };
  const credentials = { client_id: machine.clientId, client_secret: secret };
  const issued = await post("oauth/token", { grant_type: "client_credentials", ...credentials, audience: `${issuer}api/v2/` });
  const { access_token: token } = JSON.parse(issued) as { readonly access_token: string };
  const authorized = { authorization: `Bearer ${token}` };
  const create = async (path: string, body: object) =>
    JSON.parse(await post(`api/v2/${path}`, body, authorized)) as { readonly client_id: string; readonly client_secret: string };
  await create("users", { connection: "Username-Password-Authentication", ...testUser });
  const { client_id: clientId, client_secret: webSecret } = await create("clients", {
    ...webClient.settings,
    grant_types: ["authorization_code", "refresh_token", "password"],
  });
  const web = { client_id: clientId, client_secret: webSecret };
  return async (round) => {
    await codeFlow(issuer, { web: { clientId, secret: webSecret }, machine });
    await post("oauth/token", { grant_type: "password", ...web, username: testUser.email, password: "wrong" });
    await post("dbconnections/change_password", { ...web, email: testUser.email, connection: "Username-Password-Authentication" });
    // The address is not public, so the delivery fails. Its lag is recorded nevertheless.
    await create("log-streams", { type: "http", name: `stream ${round}`, sink: { httpEndpoint: "https://127.0.0.1:9/" } });
  };
}

/** Whether a query returns at least one number. */
async function hasData(port: number, expr: string): Promise<boolean> {
  const query = new URLSearchParams({ query: expr.replaceAll("$__rate_interval", "30s") });
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${query}`).catch(() => undefined);
  if (response === undefined) return false;
  const { data } = (await response.json()) as {
    readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  return data?.result.some(({ value: [, value] }) => !Number.isNaN(Number(value))) ?? false;
}

function start(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  });
}
