import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** The ready line. */
export interface ReadyLine {
  readonly event: "ready";
  readonly url: string;
  readonly issuer: string;
  readonly tenant_id: string;
  readonly management_client: { readonly client_id: string; readonly client_secret: string };
  readonly spa_client: { readonly client_id: string };
  readonly web_client: { readonly client_id: string; readonly client_secret: string };
  readonly user: { readonly email: string; readonly password: string };
}

/** The exit code and the output of a process. */
interface Ended {
  readonly code: number | null;
  readonly output: readonly string[];
  readonly errors: string;
}

/** A process that runs the example. */
interface Running {
  readonly child: ChildProcess;
  /** The first line of standard output. */
  readonly firstLine: Promise<string>;
  /** Every line of standard output so far. */
  readonly output: readonly string[];
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** A server that is ready. */
interface Started extends Running {
  readonly ready: ReadyLine;
}

const example = join(import.meta.dirname, "../../examples/standalone");

/** The script that users start. It bundles the sources and runs the bundle. */
export const script = join(example, "start.js");

/** The script that only runs the bundle. */
const bundled = join(example, "run.js");

// Built once, instead of at each start.
execFileSync(process.execPath, [join(example, "build.js")]);

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-standalone-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Variables = Readonly<Record<string, string>>;

/** Runs the example in `folder`, with only these variables. Kills the process at the end of the test. */
export function runExample(folder: string, variables: Variables, command: readonly string[] = [bundled]): Running {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { PATH: process.env["PATH"], PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output: string[] = [];
  let errors = "";
  const lines = createInterface(child.stdout).on("line", (line) => output.push(line));
  const firstLine = new Promise<string>((resolve) => lines.once("line", resolve));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, output, errors })));
  return {
    child,
    firstLine,
    output,
    ended,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the example and waits for its first line. */
export async function startExample(folder: string, variables: Variables = {}, command?: readonly string[]): Promise<Started> {
  const running = runExample(folder, variables, command);
  const first = await Promise.race([running.firstLine, running.ended]);
  if (typeof first !== "string") throw new Error(`the server ended with ${String(first.code)}: ${first.errors}`);
  return { ...running, ready: JSON.parse(first) as ReadyLine };
}

/** Requests an access token for the management client. */
export async function managementToken({ issuer, url, management_client }: ReadyLine): Promise<string> {
  const body = { grant_type: "client_credentials", ...management_client, audience: `${issuer}api/v2/` };
  const response = await fetch(`${url}oauth/token`, { method: "POST", body: new URLSearchParams(body) });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
