import { d1Adapter } from "@postern/kysely/d1";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { app, person } from "../support/code-flow-people.ts";
import { codeFlow } from "../support/code-flow.ts";
import { freePort } from "../support/free-port.ts";
import { bundle } from "./support/bundled.ts";
import { tryRegistry } from "./support/from-registry.ts";
import { installMiniflare, modern, type InstalledMiniflare } from "./support/miniflare.ts";

const secret = "a-secret-that-is-long-enough-for-tests";
const clients = { web: { clientId: "web", secret }, machine: { clientId: "manager", secret } };

/** Starts the example as `wrangler dev` does, on the data in a folder. */
async function startExample({ start }: InstalledMiniflare, folder: string, port: number) {
  const [CALLBACK_URL, LOGOUT_URL] = [app.settings.callbacks[0], app.settings.allowed_logout_urls[0]];
  const issuer = `http://127.0.0.1:${port}/`;
  const worker = start({
    modules: true,
    script: readFileSync(join(folder, "worker.mjs"), "utf8"),
    ...modern,
    bindings: { ISSUER: issuer, CALLBACK_URL, LOGOUT_URL, POSTERN_SECRET: "0123456789abcdef0123456789abcdef", WEB_SECRET: secret, MANAGER_SECRET: secret },
    d1Databases: ["DB"],
    d1Persist: join(folder, "d1"),
    host: "127.0.0.1",
    port,
    unsafeTriggerHandlers: true,
  });
  await worker.ready;
  return { worker, issuer };
}

test("the example for Workers: people sign up and sign in on D1, many at once, and another isolate knows them", { timeout: 300_000 }, async ({ skip }) => {
  const miniflare = await tryRegistry("Miniflare", installMiniflare);
  if ("absent" in miniflare) return skip(miniflare.absent);
  const folder = mkdtempSync(join(tmpdir(), "postern-workers-"));
  onTestFinished(() => {
    miniflare.taken.remove();
    rmSync(folder, { recursive: true });
  });
  await bundle(join(import.meta.dirname, "../../examples/workers/src/worker.ts"), join(folder, "worker.mjs"));
  const port = await freePort();

  const first = await startExample(miniflare.taken, folder, port);
  await d1Adapter({ database: await first.worker.getD1Database("DB") }).migrate();
  const { issuer } = first;
  const signedUp = await fetch(`${issuer}dbconnections/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "web", connection: "Username-Password-Authentication", ...person }),
  });
  expect({ status: signedUp.status, ...((await signedUp.json()) as object) }).toMatchObject({ status: 200, email: person.email });
  await codeFlow(issuer, clients);
  await manyAtOnce(issuer);
  await first.worker.dispose();

  // The same data, and nothing that the first isolate knew.
  const second = await startExample(miniflare.taken, folder, port);
  await codeFlow(second.issuer, clients);
  const swept = await fetch(`${second.issuer}cdn-cgi/handler/scheduled`);
  expect(await swept.text()).toBe("ok");
  await second.worker.dispose();
});

/** Asks for tokens many times at once while other clients leave before they are answered: what requests share must end for those who stay. */
async function manyAtOnce(issuer: string): Promise<void> {
  const ask = (signal: AbortSignal): Promise<number> =>
    fetch(`${issuer}oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` }),
      signal,
    }).then(({ status }) => status);
  for (let round = 0; round < 10; round++) {
    const leaving = Array.from({ length: 16 }, (_, i) => ask(AbortSignal.timeout(1 + i * 2)).catch(() => "left"));
    const staying = Array.from({ length: 16 }, () => ask(AbortSignal.timeout(20_000)));
    expect(await Promise.all(staying)).toEqual(staying.map(() => 200));
    await Promise.all(leaving);
  }
}
