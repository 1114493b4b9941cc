import { defineCommand, type ArgsDef, type CommandContext, type CommandDef } from "citty";
import type { Readable, Writable } from "node:stream";
import { openConfig, type OpenedService } from "./config.ts";
import { requireKnownArguments, requireCommandFirst } from "./known-options.ts";
import type { Output } from "./output.ts";

/** The environment in which a command runs. */
export interface CommandEnvironment {
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** Whether results are written as JSON. */
  readonly json: boolean;
  readonly output: Output;
  /** Resolves when the user stops the command. */
  untilEnded(): Promise<void>;
}

/** The arguments of every command that opens the app's identity service. */
export const configArgs = {
  config: { type: "string", description: "The path of the app's config. Default: postern.config.ts" },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const satisfies ArgsDef;

/** The argument of commands for one tenant. */
export const tenantArgs = { tenant: { type: "string", default: "main", description: "The id of the tenant" } } as const satisfies ArgsDef;

/** Opens the app's identity service, and closes it when the command is done. */
export async function withPostern<T>(
  { cwd }: CommandEnvironment,
  config: string | undefined,
  run: (opened: OpenedService) => Promise<T>,
): Promise<T> {
  const opened = await openConfig(cwd, config);
  try {
    return await run(opened);
  } finally {
    await opened.postern.close();
    await opened.data.close?.();
  }
}

/**
 * The definition of a command. `args` must be a plain object and not a function, so that the given arguments can be
 * compared with it.
 */
type Definition<Args extends ArgsDef> = Omit<CommandDef<Args>, "args" | "setup"> & { readonly args?: Args };

/** Defines a command with typed arguments. The command rejects unknown options. */
export function command<const Args extends ArgsDef>(definition: Definition<Args>): CommandDef {
  const setup = ({ rawArgs, args }: CommandContext<Args>): void => {
    if (definition.subCommands === undefined) requireKnownArguments(definition.args ?? {}, args);
    else requireCommandFirst(rawArgs);
  };
  // The library parses the arguments by the definition of this command, but its types cannot express this.
  return defineCommand<Args>({ ...definition, setup }) as unknown as CommandDef;
}
