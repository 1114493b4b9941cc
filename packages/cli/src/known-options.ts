import type { ArgsDef } from "citty";
import { UsageError } from "./output.ts";

/**
 * Rejects arguments that a command does not define. The argument library accepts them, so without this check a misspelt
 * option would be ignored.
 * @param definition the arguments of the command. Every command also accepts `--json`.
 * @param given the arguments by name, as the library parsed them.
 * @throws {UsageError} for an unknown option or an extra value.
 */
export function requireKnownArguments(
  definition: ArgsDef,
  given: { readonly _: readonly string[]; readonly [name: string]: unknown },
): void {
  const args = Object.entries(definition);
  const options = args.filter(([, { type }]) => type !== "positional");
  for (const [name, value] of Object.entries(given)) {
    if (name === "_") continue;
    const [, known] = args.find(([main, arg]) => namesOf(main, arg).includes(inKebabCase(name))) ?? [];
    // `--no-name` sets any option to false, which is valid only for a boolean option.
    if (known !== undefined && (value !== false || known.type === "boolean")) continue;
    const names = new Set([...options.map(([main]) => `--${main}`), "--json"]);
    throw new UsageError(`unknown option '${asWritten(name, value)}'; this command supports ${[...names].join(", ")}`);
  }
  const extra = given._[args.length - options.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'`);
}

/**
 * Rejects an option before the name of a subcommand, because the argument library would ignore it. The parameter is the
 * list of arguments after the name of the command group.
 * @throws {UsageError} if the first argument is an option.
 */
export function requireCommandFirst([first = ""]: readonly string[]): void {
  if (first.startsWith("-")) throw new UsageError(`'${first}' is before the command: write options after the name of the command`);
}

const namesOf = (main: string, arg: ArgsDef[string]): readonly string[] =>
  [main, "alias" in arg ? (arg.alias ?? []) : []].flat().map(inKebabCase);

/** Returns an option name in kebab case. The library treats `--grace-days` and `--graceDays` as the same option. */
const inKebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const asWritten = (name: string, value: unknown): string =>
  value === false ? `--no-${name}` : name.length === 1 ? `-${name}` : `--${name}`;
