#!/usr/bin/env node
import { refusalOfNode } from "./node-version.ts";

const refusal = refusalOfNode(process.versions.node);
if (refusal === undefined) {
  // An older Node cannot load what comes with it.
  const { run } = await import("./run.ts");
  exit(await run(process.argv.slice(2)));
} else {
  process.stderr.write(`${refusal}\n`);
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error: refusal })}\n`);
  process.exitCode = 2;
}

/** Exits once both streams are flushed, even if the host's config holds open handles such as timers or connections. */
function exit(code: number): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}
