/**
 * Starts the server from its sources: bundles them, which takes a moment, and runs the bundle with settings that save
 * memory. No separate build is necessary. In a container, run this file directly (`node examples/standalone/start.js`), so that signals reach the
 * server without a package manager in between.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Postern needs Node 22.18 or later, and this is ${process.versions.node}. \`npx pnpm@12 start\` brings its own.`);
  process.exit(2);
}

const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "build.js")], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

// The settings of V8 and of the C library apply only when a program starts. The program starts again in the same
// process, so that its id and the signals to it stay the same. Windows does not support this, and gets no settings.
if (process.execve !== undefined && process.platform !== "win32") {
  const { memorySettings } = await import("./src/memory.ts");
  const { flags, env } = memorySettings({ flags: process.execArgv, env: process.env });
  const script = join(import.meta.dirname, "run.js");
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, script], { ...process.env, ...env });
}
await import("./run.js");
