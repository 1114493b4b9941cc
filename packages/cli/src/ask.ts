import type { Place } from "./command.ts";
import { UsageError } from "./output.ts";

/** A choice that a command needs. */
export interface Choice<Value extends string> {
  readonly question: string;
  /** What there is to choose from, each with what it says to people. */
  readonly among: { readonly [V in Value]: string };
  /** What stands first, and what is taken where nobody can be asked. */
  readonly usual: () => Value;
}

/**
 * What somebody at a terminal chooses; the usual one where nobody is at a terminal, or JSON is asked for.
 * @throws {UsageError} where the question was left with Ctrl+C.
 */
export async function ask<Value extends string>({ stdin, stdout, json }: Place, { question, among, usual }: Choice<Value>): Promise<Value> {
  if (json || stdin.isTTY !== true || stdout.isTTY !== true) return usual();
  const { isCancel, select } = await import("@clack/prompts");
  const options = Object.entries<string>(among).map(([value, label]) => ({ value, label }));
  const chosen = await select({ message: question, options, initialValue: usual(), input: stdin, output: stdout });
  if (isCancel(chosen)) throw new UsageError("nothing was written");
  // One of the options above.
  return chosen as Value;
}
