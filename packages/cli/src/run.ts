import { renderUsage, runCommand, type CommandDef } from "citty";
import { fileURLToPath } from "node:url";
import { command, type Place } from "./command.ts";
import { checkCommand } from "./commands/check.ts";
import { devCommand } from "./commands/dev.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { initCommand } from "./commands/init.ts";
import { keysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { secretCommand } from "./commands/secret.ts";
import { sweepCommand } from "./commands/sweep.ts";
import { tenantsCommand } from "./commands/tenants.ts";
import { usersCommand } from "./commands/users.ts";
import { readManifest } from "./manifest.ts";
import { createOutput, Failed, UsageError, type Streams } from "./output.ts";

/** Where the command line is. */
export interface Terminal extends Streams {
  /** Where questions are answered, at a terminal. */
  readonly stdin: Place["stdin"];
  /** The app's folder. */
  readonly cwd: string;
  /** Waits until somebody ends a command that runs until then, as `dev` does. Default: for Ctrl+C or SIGTERM. */
  readonly untilEnded?: () => Promise<void>;
}

const commands = {
  init: initCommand,
  dev: devCommand,
  check: checkCommand,
  migrate: migrateCommand,
  sweep: sweepCommand,
  keys: keysCommand,
  secret: secretCommand,
  users: usersCommand,
  tenants: tenantsCommand,
  doctor: doctorCommand,
};

/**
 * Does what a command line says.
 * @param args without the program's own name.
 * @returns the exit code: 0 where it is done, 1 where it failed or found something wrong, 2 where it cannot be done as it was given.
 */
export async function run(
  args: readonly string[],
  terminal: Terminal = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, cwd: process.cwd() },
): Promise<number> {
  const json = args.includes("--json");
  const output = createOutput(terminal, json);
  const subCommands = Object.fromEntries(
    Object.entries(commands).map(([name, make]) => [name, make({ untilEnded: untilSignal, ...terminal, output, json })]),
  );
  const main = command({ meta: { name: "postern", description: "Set up and look after Postern" }, subCommands });
  const rest = args.filter((arg) => arg !== "--json");
  try {
    if (rest.length === 0 || rest.some((arg) => arg === "--help" || arg === "-h")) {
      terminal.stdout.write(`${await usageOf(main, subCommands, rest)}\n`);
      return 0;
    }
    if (rest.length === 1 && rest[0] === "--version") {
      const { version = "" } = readManifest(fileURLToPath(new URL("../package.json", import.meta.url)));
      output.result({ version }, version);
      return 0;
    }
    await runCommand(main, { rawArgs: [...rest] });
    return 0;
  } catch (error) {
    if (error instanceof Failed) return 1;
    const usage = error instanceof UsageError || (error instanceof Error && error.name === "CLIError");
    output.failure(error instanceof Error ? messageOf(error) : String(error));
    return usage ? 2 : 1;
  }
}

/** Once: a second Ctrl+C ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

/** The usage of the command that is named, or of all. */
async function usageOf(main: CommandDef, subCommands: { readonly [name: string]: CommandDef }, args: readonly string[]): Promise<string> {
  const [name = "", inner = ""] = args.filter((arg) => !arg.startsWith("-"));
  const named = subCommands[name];
  if (named === undefined) return renderUsage(main);
  // Ours are plain objects, as they are written.
  const below = (named.subCommands ?? {}) as { readonly [name: string]: CommandDef };
  return below[inner] === undefined ? renderUsage(named, main) : renderUsage(below[inner], named);
}

function messageOf(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
