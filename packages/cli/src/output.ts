import type { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** Where a command writes. */
export interface Output {
  /** What was found or done: text for people, or the value as JSON with `--json`. */
  result(value: unknown, text: string): void;
  /** How far it is, for people at a terminal. Nothing else, and nothing with `--json`. */
  progress(text: string): void;
  /** Something to know besides the result. */
  note(text: string): void;
  /** Why there is no result: with `--json` it is `{"error":"…"}` in the place of one. */
  failure(text: string): void;
}

/** The command cannot be done as it was given: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command was done, and found or left something wrong: exit code 1. The result says so already. */
export class Failed extends Error {
  override readonly name = "Failed";
}

/** The streams that a command writes to. */
export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Pick<NodeJS.WriteStream, "write" | "isTTY">;
}

/** Makes an {@link Output}. Results go to `stdout`, all else to `stderr`. */
export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write("\r\u001B[K");
    shown = false;
  };
  const note = (text: string): void => {
    clear();
    stderr.write(`${text}\n`);
  };
  return {
    note,
    result(value, text) {
      clear();
      stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
    },
    progress(text) {
      if (json || !stderr.isTTY) return;
      stderr.write(`\r\u001B[K${text}`);
      shown = true;
    },
    failure(text) {
      note(`postern: ${text}`);
      // What the argument library says is coloured.
      if (json) stdout.write(`${JSON.stringify({ error: stripVTControlCharacters(text) })}\n`);
    },
  };
}
