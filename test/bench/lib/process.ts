import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { work } from "./build.ts";

/** A server in a separate process. */
export interface Running {
  readonly port: number;
  readonly peer: { readonly [name: string]: string };
  /** Milliseconds from the start of the process to its first response with status 200. */
  readonly coldStart: number;
  /** Returns the CPU time of all threads so far, in microseconds. */
  cpu(): number;
  /** Returns the resident memory in mebibytes. */
  memory(): number;
  /** Returns the largest resident memory so far, in mebibytes. */
  peakMemory(): number;
  /**
   * Returns the delays of the event loop since the last call, in milliseconds. Only for a server that calls
   * `watchStalls`.
   */
  stalls(): Promise<{ readonly longest: number; readonly p99: number }>;
  stop(): Promise<void>;
}

/** What {@link startProcess} adds to a server's process. */
interface ProcessOptions {
  /** Options of Node.js. */
  readonly flags?: readonly string[];
  /** Environment variables. */
  readonly env?: { readonly [name: string]: string };
}

/**
 * Starts a server and waits for its first successful response at `path`.
 * Every server caches compiled code for its next start, as the standalone example does.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
  path: string,
  { flags = [], env = {} }: ProcessOptions = {},
): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", NODE_COMPILE_CACHE: join(work, "compile-cache"), ...env },
  });
  // If the benchmark fails, the server is killed as well.
  const kill = (): void => void child.kill();
  process.once("exit", kill);
  const { port, peer, lines } = await readAnnouncement(child, file);
  await expectOk(port, path);
  const coldStart = performance.now() - began;
  const { pid = 0 } = child;
  return {
    port,
    peer,
    coldStart,
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid, "VmRSS"),
    peakMemory: () => memoryOf(pid, "VmHWM"),
    stalls: async () => {
      const announced = once(lines, "line");
      child.kill("SIGUSR2");
      const [line] = (await announced) as string[];
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

/** Returns the first line that a server prints. */
async function readAnnouncement(
  child: ChildProcess,
  file: string,
): Promise<{ readonly port: number; readonly peer: { readonly [name: string]: string }; readonly lines: Interface }> {
  if (child.stdout === null) throw new Error("the server has no standard output");
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended before it was ready`);
  });
  const [line] = (await Promise.race([once(lines, "line"), ended])) as string[];
  ended.catch(() => {});
  // Further output is read and dropped, because a full pipe would block the server.
  lines.on("line", () => {});
  // The standalone example announces a URL instead of a port.
  const {
    port,
    url,
    peer = {},
  } = JSON.parse(line ?? "") as {
    readonly port?: number;
    readonly url?: string;
    readonly peer?: { readonly [name: string]: string };
  };
  return { port: port ?? Number(new URL(url ?? "").port), peer, lines };
}

async function expectOk(port: number, path: string): Promise<void> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
  if (status !== 200) throw new Error(`${path} responded with ${status}`);
}

/** Returns a value of `/proc/<pid>/status` in mebibytes. */
function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/**
 * Returns the user and system time of all threads in microseconds. The kernel counts this time in hundredths of a
 * second.
 */
function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
