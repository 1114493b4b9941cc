import { createD1Adapter } from "@postern/kysely/d1";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { freePort } from "../support/free-port.ts";
import { bundleFile } from "./support/bundled.ts";
import { requestToken, exampleClients, exampleVariables, signUpTestUser } from "./support/example-clients.ts";
import { tryRegistry } from "./support/from-registry.ts";
import { installMiniflare, modern, type InstalledMiniflare } from "./support/miniflare.ts";

/** Starts the example as `wrangler dev` does, on the data in the folder. */
async function startExample({ start }: InstalledMiniflare, folder: string, port: number) {
  const issuer = `http://127.0.0.1:${port}/`;
  const worker = start({
    modules: true,
    script: readFileSync(join(folder, "worker.mjs"), "utf8"),
    ...modern,
    bindings: { ...exampleVariables, ISSUER: issuer },
    d1Databases: ["DB"],
    d1Persist: join(folder, "d1"),
    host: "127.0.0.1",
    port,
    unsafeTriggerHandlers: true,
  });
  await worker.ready;
  return { worker, issuer };
}

test(
  "the Workers example signs users up and in on D1, also under parallel requests, and another isolate has the same data",
  { timeout: 300_000 },
  async ({ skip }) => {
    const miniflare = await tryRegistry("Miniflare", installMiniflare);
    if ("absent" in miniflare) return skip(miniflare.absent);
    const folder = mkdtempSync(join(tmpdir(), "postern-workers-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await bundleFile(join(import.meta.dirname, "../../examples/workers/src/worker.ts"), join(folder, "worker.mjs"));
    const port = await freePort();

    const first = await startExample(miniflare.value, folder, port);
    await createD1Adapter({ database: await first.worker.getD1Database("DB") }).migrate();
    const { issuer } = first;
    await signUpTestUser(issuer);
    await codeFlow(issuer, exampleClients);
    await requestTokensInParallel(issuer);
    await first.worker.dispose();

    // Another isolate with the same data, which shares no memory with the first.
    const second = await startExample(miniflare.value, folder, port);
    await codeFlow(second.issuer, exampleClients);
    const swept = await fetch(`${second.issuer}cdn-cgi/handler/scheduled`);
    expect(await swept.text()).toBe("ok");
    await second.worker.dispose();
  },
);

/**
 * Requests tokens in parallel while other clients disconnect early. Work that requests share must complete for the
 * remaining clients.
 */
async function requestTokensInParallel(issuer: string): Promise<void> {
  const requestStatus = async (signal: AbortSignal): Promise<number> => (await requestToken(issuer, signal)).status;
  for (let round = 0; round < 10; round++) {
    const leaving = Array.from({ length: 16 }, (_, i) => requestStatus(AbortSignal.timeout(1 + i * 2)).catch(() => "left"));
    const staying = Array.from({ length: 16 }, () => requestStatus(AbortSignal.timeout(20_000)));
    expect(await Promise.all(staying)).toEqual(staying.map(() => 200));
    await Promise.all(leaving);
  }
}
