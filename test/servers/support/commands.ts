import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { npmEnv } from "./packed.ts";

/** Environment variables of a command. */
export interface Variables {
  readonly [name: string]: string;
}

/** A process that ends with the test. */
export interface StartedCommand {
  /** Returns what the process has written so far. */
  output(): string;
  /** Resolves to the exit code when the process has ended. */
  readonly code: Promise<number | null>;
  /** Ends the process and its children. */
  stop(): Promise<void>;
}

/** Runs the commands of a guide in a folder. @returns their standard output. @throws {Error} with the output of a command that fails. */
export async function runCommands(folder: string, commands: string, variables: Variables = {}): Promise<string> {
  const running = promisify(exec)(`set -e\n${commands}`, { cwd: folder, env: { ...npmEnv, ...variables }, maxBuffer: 16 * 1024 * 1024 });
  const { stdout } = await running.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${commands}\n${failure.stdout}\n${failure.stderr}`);
  });
  return stdout;
}

/** Starts a command of a guide in a folder. */
export function startCommand(folder: string, command: string, variables: Variables = {}): StartedCommand {
  const child = spawn(command, { cwd: folder, env: { ...npmEnv, ...variables }, shell: true, detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => void (text += part.toString()));
  const code = once(child, "close").then(([exitCode]: (number | null)[]) => exitCode ?? null);
  const stop = async (): Promise<void> => {
    // Kills the shell and its children.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGKILL");
    await code;
  };
  onTestFinished(stop);
  return { output: () => text, code, stop };
}
