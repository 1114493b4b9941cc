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
import { consolePaths } from "./support/console-setup.ts";
import { requestToken, exampleClients, exampleVariables, signUpTestUser } from "./support/example-clients.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { useConsole } from "./support/mounted-console.ts";
import { npmEnv } from "./support/packed.ts";

test(
  "the Bun example signs users up and in, logs their address and keeps its data across a restart",
  { timeout: 120_000 },
  async ({ skip }) => {
    const folder = await installBun(skip);
    await bundleFile(join(import.meta.dirname, "../../examples/bun/server.ts"), join(folder, "server.mjs"));
    const issuer = `http://localhost:${await freePort()}/`;

    await whileServing(folder, issuer, async () => {
      await signUpTestUser(issuer);
      await codeFlow(issuer, exampleClients);
    });
    await whileServing(folder, issuer, async () => {
      await codeFlow(issuer, exampleClients);
      expect(new Set(await loggedAddresses(issuer))).toEqual(new Set(["127.0.0.1"]));
    });
  },
);

test("consoles on Bun sign an operator in, at each path, with and without a TLS proxy", { timeout: 120_000 }, async ({ skip }) => {
  const folder = await installBun(skip);
  await bundleFile(join(import.meta.dirname, "support/bun-console.ts"), join(folder, "server.mjs"));
  for (const behindTls of [false, true]) {
    const port = await freePort();
    const proxy = behindTls ? await proxyTo(port) : undefined;
    const origin = proxy?.origin ?? `http://localhost:${port}`;
    const issuer = `${origin}/auth/`;
    const serve = async (): Promise<void> => {
      for (const path of consolePaths) await useConsole(origin + path, issuer);
    };
    await whileServing(folder, issuer, serve, { ORIGIN: origin, PORT: String(port) });
    await proxy?.close();
  }
});

/** Installs Bun in a new folder. */
async function installBun(skip: (reason: string) => never): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "postern-bun-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await fromRegistry("Bun", skip, () =>
    promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "bun@1"], { cwd: folder, env: npmEnv }),
  );
  return folder;
}

/** Runs the bundle in the folder on Bun, with the database in the folder. */
async function whileServing(
  folder: string,
  issuer: string,
  run: () => Promise<void>,
  variables: { readonly [name: string]: string } = { ...exampleVariables, PORT: new URL(issuer).port },
): Promise<void> {
  const server = spawn(join(folder, "node_modules/.bin/bun"), ["server.mjs"], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  try {
    await expect.poll(() => fetch(`${issuer}.well-known/openid-configuration`).then(({ status }) => status, String)).toBe(200);
    await run();
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

/** Returns the IP addresses of the sign-ins in the audit log. */
async function loggedAddresses(issuer: string): Promise<string[]> {
  const { access_token: token } = (await (await requestToken(issuer)).json()) as { readonly access_token: string };
  const logs = await fetch(`${issuer}api/v2/logs?q=type:s`, { headers: { authorization: `Bearer ${token}` } });
  return ((await logs.json()) as readonly { readonly ip: string }[]).map(({ ip }) => ip);
}
