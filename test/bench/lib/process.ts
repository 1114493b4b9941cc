import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { work } from "./build.ts";

/** A server in a process of its own. */
export interface Running {
  readonly port: number;
  readonly peer: { readonly [name: string]: string };
  /** Milliseconds from the start of the process to the first 200. */
  readonly coldStart: number;
  /** Microseconds that all threads have worked so far. */
  cpu(): number;
  /** Mebibytes in memory. */
  memory(): number;
  /** Milliseconds that the event loop was held up since this was asked last; of a server that watches them. */
  stalls(): Promise<{ readonly longest: number; readonly p99: number }>;
  stop(): Promise<void>;
}

/**
 * Starts a server and waits for its first good answer at `path`.
 * Every server keeps what Node has compiled for its next start, as the standalone example does.
 */
export async function start(file: string, args: readonly string[], path: string, flags: readonly string[] = []): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", NODE_COMPILE_CACHE: join(work, "compile-cache") },
  });
  // A run that fails leaves no server behind.
  const kill = (): void => void child.kill();
  process.once("exit", kill);
  const { port, peer, lines } = await announcement(child, file);
  await answers(port, path);
  const coldStart = performance.now() - began;
  const { pid = 0 } = child;
  return {
    port,
    peer,
    coldStart,
    cpu: () => cpuOf(pid),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    stalls: async () => {
      const said = once(lines, "line");
      child.kill("SIGUSR2");
      const [line] = (await said) as string[];
      return JSON.parse(line ?? "") as { readonly longest: number; readonly p99: number };
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
    },
  };
}

/** The first line that a server prints. */
async function announcement(
  child: ChildProcess,
  file: string,
): Promise<{ readonly port: number; readonly peer: { readonly [name: string]: string }; readonly lines: Interface }> {
  if (child.stdout === null) throw new Error("no output to read");
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended before it was ready`);
  });
  const [line] = (await Promise.race([once(lines, "line"), ended])) as string[];
  ended.catch(() => {});
  // What else it prints is read and dropped: a full pipe would stop it.
  lines.on("line", () => {});
  const said = JSON.parse(line ?? "") as { readonly port: number; readonly peer: { readonly [name: string]: string } };
  return { ...said, lines };
}

async function answers(port: number, path: string): Promise<void> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

/** User and system time of every thread, from the kernel: in ticks of a hundredth of a second. */
function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in parentheses and may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
