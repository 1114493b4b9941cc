import { renderUsage, runCommand, type CommandDef } from "citty";
import { fileURLToPath } from "node:url";
import { command, type CommandEnvironment } from "./command.ts";
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
import { createOutput, CommandFailed, UsageError, type Streams } from "./output.ts";

/** The terminal and the folder in which a command runs. */
export interface Terminal extends Streams {
  /** The input for questions, at a terminal. */
  readonly stdin: CommandEnvironment["stdin"];
  /** The app's folder. */
  readonly cwd: string;
  /** Resolves when the user stops a long-running command such as `dev`. Default: on Ctrl+C or SIGTERM. */
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
 * Runs a command line.
 * @param args the arguments, without the name of the program.
 * @returns the exit code: 0 for success, 1 if the command failed or found a problem, 2 if the command line or the setup
 * is invalid.
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
  const main = command({ meta: { name: "postern", description: "Set up and operate Postern" }, subCommands });
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
    if (error instanceof CommandFailed) return 1;
    const usage = error instanceof UsageError || (error instanceof Error && error.name === "CLIError");
    output.failure(error instanceof Error ? messageOf(error) : String(error));
    return usage ? 2 : 1;
  }
}

/** Resolves on the first signal. A second Ctrl+C stops the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

/** Returns the usage of the named command, or of the program. */
async function usageOf(main: CommandDef, subCommands: { readonly [name: string]: CommandDef }, args: readonly string[]): Promise<string> {
  const [name = "", inner = ""] = args.filter((arg) => !arg.startsWith("-"));
  const named = subCommands[name];
  if (named === undefined) return renderUsage(main);
  // The subcommands of this program are always plain objects, not promises.
  const below = (named.subCommands ?? {}) as { readonly [name: string]: CommandDef };
  return below[inner] === undefined ? renderUsage(named, main) : renderUsage(below[inner], named);
}

function messageOf(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
