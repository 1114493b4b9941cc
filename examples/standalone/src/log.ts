import type { LogEntry, Logger } from "@postern/core";
import type { Message } from "./inbox.ts";
import { prettyEntry, prettyMessage, prettyReady, type Paint, type ReadyNotes } from "./pretty.ts";

/** What one needs to use the server, in the order of the line that says so. */
export interface Ready {
  readonly url: string;
  readonly issuer: string;
  readonly tenant_id: string;
  readonly management_client: { readonly client_id: string; readonly client_secret: string };
  readonly spa_client: { readonly client_id: string };
  readonly web_client: { readonly client_id: string; readonly client_secret: string };
  readonly user: { readonly email: string; readonly password: string };
}

/** Everything that the server says. Requests and messages go to standard output, warnings and errors to standard error. */
export interface Log extends Logger {
  /** The first line of standard output, whatever happened before it. @param notes what a person is told besides. */
  ready(ready: Ready, notes: ReadyNotes): void;
  message(message: Message): void;
  /** Resolves when all lines are out. */
  flush(): Promise<void>;
}

/** @param paint colours text, where the output is a terminal. */
export function createLog(format: "json" | "pretty", output: Output, errors: Output, paint: Paint): Log {
  const isJson = format === "json";
  const out = createLines(output);
  const err = createLines(errors);
  let early: string[] | undefined = [];
  const write = (line: string): void => {
    if (early === undefined) out.write(line);
    else early.push(line);
  };
  return {
    log(entry) {
      // Open pages ask every few seconds whether there is something new. A person who reads along need not hear that there is not.
      if (!isJson && entry.event === "request" && entry["status"] === 304) return;
      const line = isJson ? jsonEntry(entry) : prettyEntry(entry, paint);
      if (entry.level === "info") write(line);
      else err.write(line);
    },
    message: (message) => write(isJson ? JSON.stringify({ event: "message", ...message }) : prettyMessage(message, paint)),
    ready(ready, notes) {
      out.write(isJson ? JSON.stringify({ event: "ready", ...ready }) : prettyReady(ready, notes, paint));
      for (const line of early ?? []) out.write(line);
      early = undefined;
    },
    flush: async () => {
      await out.flush();
      await err.flush();
    },
  };
}

/** What of a stream is needed. */
export interface Output {
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

/** Lines of one turn of the event loop go out together: one call to the system instead of one a request. */
function createLines(output: Output): { write(line: string): void; flush(): Promise<void> } {
  let waiting = "";
  const send = (done: () => void = () => {}): void => {
    const text = waiting;
    waiting = "";
    output.write(text, done);
  };
  return {
    write(line) {
      if (waiting === "") setImmediate(() => waiting !== "" && send());
      waiting += `${line}\n`;
    },
    flush: () => new Promise((resolve) => send(resolve)),
  };
}
