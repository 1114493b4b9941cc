import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { clientSecret } from "./postern.ts";
import { freePort } from "./free-port.ts";

const start = fileURLToPath(new URL("../../examples/standalone/start.js", import.meta.url));

/** The issuer of every standalone server in tests. Several processes of one installation share it. */
export const standaloneIssuer = "http://postern.test/";

/** A standalone server in a separate process. */
export interface Standalone {
  /** The base URL, ending in a slash. */
  readonly origin: string;
  /** Sends SIGTERM, and kills the process if it does not exit. @returns its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Starts `examples/standalone` on a database with a known machine client, and waits for its ready line. */
export async function startStandalone(database: string): Promise<Standalone> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [start], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      ISSUER: standaloneIssuer,
      DATABASE_URL: database,
      POSTERN_SECRET: "0123456789abcdef0123456789abcdef",
      ADMIN_CLIENT_ID: "main-manager",
      ADMIN_CLIENT_SECRET: clientSecret,
      ADMIN_PASSWORD: "Correct-horse-battery-1",
      LOG_FORMAT: "json",
    },
  });
  if (child.stdout === null) throw new Error("no output to read");
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes('"event":"ready"')) resolve();
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}/`,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      const [code] = (await exited) as [number | null];
      clearTimeout(timer);
      return code;
    },
  };
}
