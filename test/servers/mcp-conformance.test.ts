import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { signInAndConsent, startMcpServer } from "../../examples/mcp/assistant.ts";
import { openHttpBrowser } from "../support/code-flow.ts";
import { freePort } from "../support/free-port.ts";
import { fromRegistry } from "./support/from-registry.ts";

/** The conformance tests of the Model Context Protocol for authorization servers, against `examples/mcp`. */

const folder = join(import.meta.dirname, "support/mcp-conformance");

/** A result in the file that the program writes for each of its tests. */
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

test("passes the conformance tests of the Model Context Protocol for authorization servers", async ({ skip }) => {
  await fromRegistry("@modelcontextprotocol/conformance", skip, () =>
    promisify(execFile)("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder }),
  );
  const server = await startMcpServer();
  onTestFinished(() => server.close());
  const issuer = new URL("/auth/", server.url).href;
  const port = await freePort();
  const registered = await fetch(`${issuer}oidc/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`], token_endpoint_auth_method: "none" }),
  });
  const { client_id: clientId } = (await registered.json()) as { readonly client_id: string };

  const results = await mkdtemp(join(tmpdir(), "postern-mcp-conformance-"));
  onTestFinished(() => rm(results, { recursive: true }));
  const program = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  // Without `--scenario`, because the test of the code grant reads the metadata that the first test found.
  const options = [
    "--url",
    issuer,
    "--client-id",
    clientId,
    "--resource",
    server.url.href,
    "--port",
    String(port),
    "--output-dir",
    results,
  ];
  const running = spawn(process.execPath, [program, "authorization", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void running.kill());
  const ended = once(running, "close");
  // It prints the authorization request, and waits for the response of a browser.
  for await (const line of createInterface(running.stdout)) {
    if (!line.startsWith(`${issuer}authorize?`)) continue;
    const { response } = await signInAndConsent(openHttpBrowser(issuer), line);
    await fetch(response);
  }
  expect(await ended).toEqual([0, null]);

  const checks: Check[] = [];
  for await (const file of glob(join(results, "*/checks.json"))) checks.push(...(JSON.parse(await readFile(file, "utf8")) as Check[]));
  expect(Object.fromEntries(checks.map(({ id, status, errorMessage = "" }) => [id, `${status} ${errorMessage}`]))).toEqual({
    "authorization-code-grant": "SUCCESS ",
    "authorization-server-metadata": "SUCCESS ",
    "authorization-server-metadata-cimd": "SUCCESS ",
  });
});
