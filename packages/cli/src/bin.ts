#!/usr/bin/env node
import { nodeVersionError } from "./node-version.ts";

const error = nodeVersionError(process.versions.node);
if (error === undefined) {
  // An older Node.js cannot load this module and its imports.
  const { run } = await import("./run.ts");
  exit(await run(process.argv.slice(2)));
} else {
  process.stderr.write(`${error}\n`);
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = 2;
}

/** Exits once both streams are flushed, even if the host's config holds open handles such as timers or connections. */
function exit(code: number): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}
