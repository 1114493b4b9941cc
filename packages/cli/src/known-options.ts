import type { ArgsDef } from "citty";
import { UsageError } from "./output.ts";

/**
 * Refuses what a command was given and does not know: the library hands it on, and a misspelt option would be ignored.
 * @param definition what the command knows. `--json` is known to every command.
 * @param given as the library parsed it, by name.
 * @throws {UsageError} for an option or a value that is none of the command's.
 */
export function checkGiven(definition: ArgsDef, given: { readonly _: readonly string[]; readonly [name: string]: unknown }): void {
  const args = Object.entries(definition);
  const options = args.filter(([, { type }]) => type !== "positional");
  for (const [name, value] of Object.entries(given)) {
    if (name === "_") continue;
    const [, known] = args.find(([main, arg]) => namesOf(main, arg).includes(inKebabCase(name))) ?? [];
    // `--no-name` makes any option false; only a switch can be that.
    if (known !== undefined && (value !== false || known.type === "boolean")) continue;
    const names = new Set([...options.map(([main]) => `--${main}`), "--json"]);
    throw new UsageError(`there is no option '${asWritten(name, value)}'; this command knows ${[...names].join(", ")}`);
  }
  const extra = given._[args.length - options.length];
  if (extra !== undefined) throw new UsageError(`'${extra}' is more than this command takes`);
}

/**
 * Refuses options before the name of a command, which the library would lose.
 * @param given the words after the group's name.
 * @throws {UsageError} for an option in the first place.
 */
export function checkNoOptionFirst([first = ""]: readonly string[]): void {
  if (first.startsWith("-")) throw new UsageError(`'${first}' stands before a command: options come after its name`);
}

const namesOf = (main: string, arg: ArgsDef[string]): readonly string[] =>
  [main, "alias" in arg ? (arg.alias ?? []) : []].flat().map(inKebabCase);

/** The library takes `--grace-days` and `--graceDays` for the same. */
const inKebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const asWritten = (name: string, value: unknown): string =>
  value === false ? `--no-${name}` : name.length === 1 ? `-${name}` : `--${name}`;
