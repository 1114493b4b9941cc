import type { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** The output of a command. */
export interface Output {
  /** Writes the result: the text, or the value as JSON with `--json`. */
  result(value: unknown, text: string): void;
  /** Shows progress at a terminal. Writes nothing without a terminal or with `--json`. */
  progress(text: string): void;
  /** Writes a message to `stderr`, in addition to the result. */
  note(text: string): void;
  /** Writes an error message. With `--json`, also writes `{"error":"…"}` instead of a result. */
  failure(text: string): void;
}

/** Thrown if the command line or the setup is invalid. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Thrown if the command found a problem or completed only a part of its work. The exit code is 1. The result already
 * describes the problem.
 */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

/** The streams that a command writes to. */
export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Pick<NodeJS.WriteStream, "write" | "isTTY">;
}

/** Creates an {@link Output}. Results go to `stdout`, everything else to `stderr`. */
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
      // Error messages from the argument library contain colour codes.
      if (json) stdout.write(`${JSON.stringify({ error: stripVTControlCharacters(text) })}\n`);
    },
  };
}
