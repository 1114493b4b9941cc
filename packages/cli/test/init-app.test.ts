import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { run } from "@postern/cli";
import { freePort } from "../../../test/support/free-port.ts";
import { isNightly, onlyNightly } from "../../../test/support/nightly.ts";

const root = join(import.meta.dirname, "../../..");
const fromSource = ["--conditions=postern-source", "--import", new URL("load-tsx.js", import.meta.url).href];

/** The result of `postern init` in a new folder. */
interface InitializedApp {
  readonly cwd: string;
  readonly next: readonly string[];
}

async function initialize(framework: string): Promise<InitializedApp> {
  // The folder is inside the package, so that Node.js can resolve the imports.
  const cwd = mkdtempSync(join(import.meta.dirname, ".app-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module" }));
  let out = "";
  const stdout = { write: (text: string) => Boolean((out += text)) };
  const args = ["init", "--framework", framework, "--database", "sqlite", "--console", "--json"];
  await run(args, { cwd, stdin: { isTTY: false }, stdout, stderr: stdout } as Parameters<typeof run>[1]);
  return { cwd, next: (JSON.parse(out) as InitializedApp).next };
}

interface RunningApp {
  /** Returns the output of the process so far. */
  output(): string;
  /** Resolves when the process has ended, to its exit code. */
  readonly code: Promise<number | null>;
}

/** Starts the app with the printed command, from the sources of the packages. */
function start({ cwd, next }: InitializedApp, env: { readonly [name: string]: string }): RunningApp {
  const command = next.find((step) => step.startsWith("node ")) ?? "";
  const { PORT: _port, APP_URL: _url, ...inherited } = process.env;
  const child = spawn(process.execPath, [...fromSource, ...command.split(" ").slice(1)], { cwd, env: { ...inherited, ...env } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  const code = once(child, "close").then(([exitCode]: (number | null)[]) => exitCode ?? null);
  onTestFinished(async () => {
    child.kill();
    await code;
  });
  return { output: () => text, code };
}

/** Waits until the app has printed a text. */
async function printed({ output, code }: RunningApp, text: string): Promise<void> {
  let hasEnded = false;
  void code.then(() => (hasEnded = true));
  await expect.poll(() => hasEnded || output().includes(text), { timeout, interval: 100 }).toBe(true);
  expect(output()).toContain(text);
}

const timeout = 240_000;

test.for(["express", "hono", "node"])(
  "the %s app of `postern init` listens on PORT, gets a token with the printed command, and fails if the port or the secret is wrong",
  { timeout },
  async (framework, { skip }) => {
    if (framework !== "express" && !isNightly) skip(onlyNightly);
    const app = await initialize(framework);
    const PORT = String(await freePort());
    const running = start(app, { PORT });
    await printed(running, `Listening on port ${PORT}. Open http://localhost:${PORT}/`);
    expect(running.output()).not.toContain("No mail is sent");

    const command = app.next.find((step) => step.startsWith("Get a token"))?.replace(/^[^(]*/, "") ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", command.replaceAll(":3000/", `:${PORT}/`)], { cwd: app.cwd });
    const { access_token: token } = JSON.parse(stdout) as { readonly access_token: string };
    const clients = await fetch(`http://localhost:${PORT}/auth/api/v2/clients`, { headers: { authorization: `Bearer ${token}` } });
    expect(clients.status).toBe(200);
    const console = await fetch(`http://localhost:${PORT}/admin/login`, { redirect: "manual" });
    expect([console.status, (await console.text()).includes(`http://localhost:${PORT}/auth/authorize`)]).toEqual([200, true]);

    const second = start(app, { PORT });
    expect(await second.code).toBe(1);
    expect(second.output()).toContain(`The app cannot listen on port ${PORT}: `);
    expect(second.output()).not.toContain("Open http");

    const POSTERN_SECRET = "another-secret-0123456789-abcdefghij";
    const wrongSecret = start(app, { PORT: String(await freePort()), POSTERN_SECRET });
    expect(await wrongSecret.code).not.toBe(0);
    expect(wrongSecret.output()).toContain("the secret cannot decrypt this data store");
    expect(wrongSecret.output()).not.toContain("Open http");
  },
);

test("in production, the app of `postern init` warns once about missing mail and an http URL", { timeout }, async () => {
  const app = await initialize("express");
  const PORT = String(await freePort());
  const running = start(app, { PORT, NODE_ENV: "production", APP_URL: "http://shop.example.test/" });
  await printed(running, `Listening on port ${PORT}. Open http://shop.example.test/`);
  await fetch(`http://127.0.0.1:${PORT}/`);
  expect(running.output().split("No mail is sent")).toHaveLength(2);
  expect(running.output().split("APP_URL is an http URL")).toHaveLength(2);
});

test.for(["express", "hono", "node"])(
  "the %s app of `postern init` satisfies its tsconfig.json",
  { timeout },
  async (framework, { skip }) => {
    if (!isNightly) skip(onlyNightly);
    const { cwd } = await initialize(framework);
    const file = join(cwd, "tsconfig.json");
    const config = JSON.parse(readFileSync(file, "utf8")) as { readonly compilerOptions: object };
    // The packages are checked from their sources, which contain pages in JSX.
    const fromSources = {
      customConditions: ["postern-source"],
      exactOptionalPropertyTypes: true,
      jsx: "react-jsx",
      jsxImportSource: "preact",
    };
    writeFileSync(file, JSON.stringify({ compilerOptions: { ...config.compilerOptions, ...fromSources } }));
    const tsc = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", file], { cwd });
    const { stdout } = await tsc.catch((error: unknown) => error as { readonly stdout: string });
    expect(stdout.split("\n").filter((line) => /^[\w/]+\.ts\(/.test(line))).toEqual([]);
  },
);
