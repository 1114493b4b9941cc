import type { LogEntry, Logger } from "@postern/core";
import type { LocalMessage } from "./inbox.ts";
import { prettyEntry, prettyMessage, prettyReady, type Paint, type ReadyNotes } from "./pretty.ts";

/** The data that users of the server need, in the order of the `ready` line. */
export interface Ready {
  readonly url: string;
  readonly issuer: string;
  readonly tenant_id: string;
  readonly management_client: { readonly client_id: string; readonly client_secret: string };
  readonly spa_client: { readonly client_id: string };
  readonly web_client: { readonly client_id: string; readonly client_secret: string };
  readonly user: { readonly email: string; readonly password: string };
}

/** The output of the server. Requests and messages go to standard output, warnings and errors to standard error. */
export interface Log extends Logger {
  /**
   * Writes the first line of standard output. Earlier lines are buffered until then.
   * @param notes used only by the pretty format.
   */
  ready(ready: Ready, notes: ReadyNotes): void;
  message(message: LocalMessage): void;
  /** Resolves when all lines are written. */
  flush(): Promise<void>;
}

/** Creates a {@link Log}. @param paint colours text if the output is a terminal. */
export function createLog(format: "json" | "pretty", output: LogOutput, errors: LogOutput, paint: Paint): Log {
  const isJson = format === "json";
  const out = createLines(output);
  const err = createLines(errors);
  let bufferedLines: string[] | undefined = [];
  const write = (line: string): void => {
    if (bufferedLines === undefined) out.write(line);
    else bufferedLines.push(line);
  };
  return {
    log(entry) {
      // Open inbox pages request new messages every few seconds. The pretty format omits these requests if nothing
      // changed.
      if (!isJson && entry.event === "request" && entry["status"] === 304) return;
      const line = isJson ? jsonEntry(entry) : prettyEntry(entry, paint);
      if (entry.level === "info") write(line);
      else err.write(line);
    },
    message: (message) => write(isJson ? JSON.stringify({ event: "message", ...message }) : prettyMessage(message, paint)),
    ready(ready, notes) {
      out.write(isJson ? JSON.stringify({ event: "ready", ...ready }) : prettyReady(ready, notes, paint));
      for (const line of bufferedLines ?? []) out.write(line);
      bufferedLines = undefined;
    },
    flush: async () => {
      await out.flush();
      await err.flush();
    },
  };
}

/** The part of a stream that the log uses. */
export interface LogOutput {
  write(text: string, done: () => void): unknown;
}

function jsonEntry({ event, ...rest }: LogEntry): string {
  return JSON.stringify({ event, time: new Date().toISOString(), ...rest }, (_, value: unknown) =>
    value instanceof Error ? describeError(value) : value,
  );
}

function describeError({ name, message, stack, cause }: Error): object {
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}

/** Writes all lines from one turn of the event loop together, with one system call instead of one per line. */
function createLines(output: LogOutput): { write(line: string): void; flush(): Promise<void> } {
  let buffer = "";
  const send = (done: () => void = () => {}): void => {
    const text = buffer;
    buffer = "";
    output.write(text, done);
  };
  return {
    write(line) {
      if (buffer === "") setImmediate(() => buffer !== "" && send());
      buffer += `${line}\n`;
    },
    flush: () => new Promise((resolve) => send(resolve)),
  };
}
