import type { CommandEnvironment } from "./command.ts";
import { UsageError } from "./output.ts";

/** A question with a fixed set of answers. */
export interface Choice<Value extends string> {
  readonly question: string;
  /** The values to choose from, each with its label. */
  readonly labels: { readonly [V in Value]: string };
  /** Returns the preselected value, which is also used without a terminal. */
  readonly defaultValue: () => Value;
}

/**
 * Asks the user to choose a value. Returns the default without a terminal, and with `--json`.
 * @throws {UsageError} if the user cancels with Ctrl+C.
 */
export async function askChoice<Value extends string>(
  { stdin, stdout, json }: CommandEnvironment,
  { question, labels, defaultValue }: Choice<Value>,
): Promise<Value> {
  if (json || stdin.isTTY !== true || stdout.isTTY !== true) return defaultValue();
  const { isCancel, select } = await import("@clack/prompts");
  const options = Object.entries<string>(labels).map(([value, label]) => ({ value, label }));
  const answer = await select({ message: question, options, initialValue: defaultValue(), input: stdin, output: stdout });
  if (isCancel(answer)) throw new UsageError("nothing was written");
  // The value of one of the options above.
  return answer as Value;
}
