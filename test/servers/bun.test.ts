import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { freePort } from "../support/free-port.ts";
import { bundleFile } from "./support/bundled.ts";
import { requestToken, exampleClients, exampleVariables, signUpTestUser } from "./support/example-clients.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";

test(
  "the Bun example signs users up and in, logs their address and keeps its data across a restart",
  { timeout: 120_000 },
  async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), "postern-bun-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await fromRegistry("Bun", skip, () =>
      promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "bun@1"], { cwd: folder, env: npmEnv }),
    );
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

/** Runs the example on Bun, on the database in the folder. */
async function whileServing(folder: string, issuer: string, run: () => Promise<void>): Promise<void> {
  const server = spawn(join(folder, "node_modules/.bin/bun"), ["server.mjs"], {
    cwd: folder,
    env: { ...process.env, ...exampleVariables, PORT: new URL(issuer).port },
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
