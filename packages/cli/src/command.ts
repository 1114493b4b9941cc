import { defineCommand, type ArgsDef, type CommandContext, type CommandDef } from "citty";
import type { Readable, Writable } from "node:stream";
import { openConfig, type Opened } from "./config.ts";
import { checkGiven, checkNoOptionFirst } from "./known-options.ts";
import type { Output } from "./output.ts";

/** What every command is given. */
export interface Place {
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** Whether results are written as JSON. */
  readonly json: boolean;
  readonly output: Output;
  /** Waits until somebody ends the command. */
  untilEnded(): Promise<void>;
}

/** The arguments of every command that works on the app's identity service. */
export const onConfig = {
  config: { type: "string", description: "The config of the app. Default: postern.config.ts" },
  json: { type: "boolean", description: "Write the result as JSON" },
} as const satisfies ArgsDef;

/** The argument of commands that work on one tenant. */
export const onTenant = { tenant: { type: "string", default: "main", description: "The id of the tenant" } } as const satisfies ArgsDef;

/** Opens the app's identity service, and closes it when the command is done. */
export async function withPostern<T>({ cwd }: Place, config: string | undefined, run: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openConfig(cwd, config);
  try {
    return await run(opened);
  } finally {
    await opened.postern.close();
    await opened.data.close?.();
  }
}

/** What makes a command. Its arguments are said outright, so that what is given can be compared with them. */
type Definition<Args extends ArgsDef> = Omit<CommandDef<Args>, "args" | "setup"> & { readonly args?: Args };

/** Defines a command, its arguments typed by their definition. It refuses options that it does not know. */
export function command<const Args extends ArgsDef>(definition: Definition<Args>): CommandDef {
  const setup = ({ rawArgs, args }: CommandContext<Args>): void => {
    if (definition.subCommands === undefined) checkGiven(definition.args ?? {}, args);
    else checkNoOptionFirst(rawArgs);
  };
  // Whoever runs a command parses its arguments by its own definition, which the library's type does not know.
  return defineCommand<Args>({ ...definition, setup }) as unknown as CommandDef;
}
