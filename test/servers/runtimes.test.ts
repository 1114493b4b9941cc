import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { freePort } from "../support/free-port.ts";
import { proxyTo } from "../support/tls-proxy.ts";
import { bundleFile } from "./support/bundled.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { npmEnv } from "./support/packed.ts";
import type { PolyfillReport } from "./support/polyfilled-app.ts";
import { bundleSuite, expectSuitePasses } from "./support/workerd-suite.ts";

/**
 * A supported runtime other than Node.js 24, which runs the whole repository. The runtimes come from npm.
 * In `.ci/nightly`, workerd runs core's whole suite, because it differs most. The others share JavaScript, Web APIs and
 * `node:` modules with Node.js 24, so they run the {@link smokeTests} and serve an app.
 */
interface Runtime {
  /** The npm packages to install. */
  readonly packages: readonly string[];
  /** The command that runs Vitest on the runtime. Without it, the runtime serves core's tests as a worker. */
  readonly run?: readonly [command: string, ...parameters: string[]];
  /** The command that serves the bundle `app.mjs`, relative to the folder with the packages and the bundle. */
  readonly start: (port: number) => readonly [command: string, ...parameters: string[]];
  /** Additional files next to the bundle. */
  readonly files?: (port: number) => { readonly [name: string]: string };
}

const root = join(import.meta.dirname, "../..");
const bin = (name: string): string => `node_modules/.bin/${name}`;
const nodeServer = {
  "server.mjs": `import { serve } from "@hono/node-server"; import app from "./app.mjs"; serve({ ...app, hostname: "127.0.0.1" });`,
};
const node = (version: string): Runtime => ({
  packages: [`node@${version}`, "@hono/node-server@2", "hono@4"],
  run: [bin("node")],
  start: () => [bin("node"), "server.mjs"],
  files: () => nodeServer,
});
const runtimes: { readonly [name: string]: Runtime } = {
  "Node 22": node("22"),
  "Node 26": node("26"),
  Bun: { packages: ["bun@1"], run: [bin("bun"), "--bun"], start: () => [bin("bun"), "run", "app.mjs"] },
  Deno: {
    packages: ["deno@2"],
    run: [bin("deno"), "run", "--allow-all"],
    start: (port) => [bin("deno"), "serve", "--no-lock", "--allow-env", "--allow-net", "--host=127.0.0.1", `--port=${port}`, "app.mjs"],
  },
  workerd: {
    packages: ["workerd@1"],
    start: () => [bin("workerd"), "serve", "config.capnp"],
    files: (port) => ({
      "config.capnp": `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .postern)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const postern :Workerd.Worker = (
  modules = [(name = "app.mjs", esModule = embed "app.mjs")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
);
`,
    }),
  },
};

/**
 * The tests of core and of the drivers whose behaviour depends on the runtime: network, crypto, hashing, languages,
 * regular expressions.
 */
const smokeTests = [
  "packages/core/src/adapters/network.test.ts",
  "packages/core/src/identity/passwords/hasher.test.ts",
  "packages/core/src/identity/webauthn/webauthn.test.ts",
  "packages/core/src/tokens/verify.test.ts",
  "packages/core/src/locales/locale.test.ts",
  "packages/core/test/certificate.test.ts",
  "packages/kysely/test/node-sqlite.test.ts",
  "packages/kysely/test/bun-sqlite.test.ts",
];

const titled = Object.entries(runtimes).map(
  ([name, runtime]) => [`core's tests pass, and a user signs in at each path, on ${name}`, name, runtime] as const,
);

/** The runtimes on which `.ci/run` runs the tests: the oldest Node.js, and the one that differs most. */
const always = ["Node 22", "workerd"];

test.for(titled)("%s", { timeout: 300_000 }, async ([, name, runtime], { skip }) => {
  if (!isNightly && !always.includes(name)) skip(onlyNightly);
  const { packages, run } = runtime;
  const folder = mkdtempSync(join(tmpdir(), "postern-runtime-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await fromRegistry(name, skip, () =>
    promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, env: npmEnv }),
  );
  if (run !== undefined) await runSmokeTests(join(folder, run[0]), run.slice(1));
  else await serveSuite(runtime, folder);

  for (const behindTls of [false, true]) await signInOn(runtime, folder, behindTls);
  await issueCertificatesBesidePolyfill(runtime, folder);
});

/** Issues certificates on a runtime in an app that has its own polyfill of `Reflect` metadata. */
async function issueCertificatesBesidePolyfill(runtime: Runtime, folder: string): Promise<void> {
  for (const installed of ["before the first certificate", "after the first certificate"] as const) {
    const port = await freePort();
    await bundleFile(join(import.meta.dirname, "support/polyfilled-app.ts"), join(folder, "app.mjs"), {
      PORT: String(port),
      POLYFILL: JSON.stringify("own"),
      INSTALLED: JSON.stringify(installed),
    });
    const origin = `http://127.0.0.1:${port}`;
    await serve(runtime, folder, port, async () => {
      await expect.poll(() => fetch(origin).then(({ status }) => status, String)).toBe(200);
      const { expiries, ...rest } = (await (await fetch(origin)).json()) as PolyfillReport;
      expect(rest).toEqual({ polyfilledByEntry: false, keepsFunctions: true, hasWebauthn: true, role: "admin" });
      expect(expiries.every((expiry) => expiry > Date.now())).toBe(true);
    });
  }
}

/** Serves an app on a runtime and signs in at each of its paths. */
async function signInOn(runtime: Runtime, folder: string, behindTls: boolean): Promise<void> {
  const port = await freePort();
  const proxy = behindTls ? await proxyTo(port) : undefined;
  const origin = proxy?.origin ?? `http://127.0.0.1:${port}`;
  await bundleFile(join(import.meta.dirname, "support/runtime-app.ts"), join(folder, "app.mjs"), {
    ORIGIN: JSON.stringify(origin),
    PORT: String(port),
  });
  try {
    await serve(runtime, folder, port, async () => {
      await expect.poll(() => fetch(`${origin}/.well-known/openid-configuration`).then(({ status }) => status, String)).toBe(200);
      for (const path of ["/", "/auth/", "/api/auth/", "/a/b/c/"]) await codeFlow(origin + path);
    });
  } finally {
    await proxy?.close();
  }
}

/** Runs core's own tests on a runtime, in a worker. */
async function serveSuite(runtime: Runtime, folder: string): Promise<void> {
  const port = await freePort();
  const files = await bundleSuite(join(folder, "app.mjs"), isNightly ? undefined : smokeTests);
  await serve(runtime, folder, port, () => expectSuitePasses(`http://127.0.0.1:${port}`, files, isNightly));
}

/** Serves the bundle on a runtime until `use` has finished. */
async function serve({ start, files }: Runtime, folder: string, port: number, use: () => Promise<void>): Promise<void> {
  for (const [file, text] of Object.entries(files?.(port) ?? {})) writeFileSync(join(folder, file), text);
  const [command, ...parameters] = start(port);
  const server = spawn(join(folder, command), parameters, { cwd: folder, stdio: "inherit" });
  const ended = once(server, "exit");
  try {
    await use();
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

/** Runs the {@link smokeTests} with this repository's Vitest. */
async function runSmokeTests(command: string, parameters: readonly string[]): Promise<void> {
  // The variables that this Vitest sets for its workers would confuse the other Vitest.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST") && name !== "NODE_OPTIONS"));
  // Vitest cannot communicate with child processes on Bun, and Deno lacks a part of worker threads.
  const pool = command.endsWith("bun") ? "threads" : "forks";
  const projects = ["--project", "core", "--project", "kysely"];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...smokeTests, ...projects, "--pool", pool, "--reporter", "dot"];
  await promisify(execFile)(command, [...parameters, ...vitest], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }).catch(
    (failure: { stdout: string; stderr: string }) => {
      throw new Error(`core's tests fail: ${failure.stdout}\n${failure.stderr}`);
    },
  );
}
