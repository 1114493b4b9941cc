import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** Users in a file of lines, each a JSON object. */
export interface UserLines {
  /** The values of the lines, in turn. A line that is no JSON is told as what it is, and rejected with the others. */
  readonly users: AsyncIterable<unknown>;
  /** The number of the line that a rejected value stands in. To be asked once for each. */
  lineOf(user: unknown): number | undefined;
}

/** Reads a file line by line, however long it is. */
export function readUserLines(path: string): UserLines {
  // By the value itself: an import rejects some at once, and others later. Those that it keeps are not held here.
  const ofObjects = new WeakMap<object, number>();
  // No user is anything but an object. All else is rejected, in the order of the file where it is there more than once.
  const ofOthers = new Map<unknown, number[]>();
  async function* values(): AsyncGenerator<unknown> {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number++;
      if (line.trim() === "") continue;
      const value = parsed(line);
      if (typeof value === "object" && value !== null) ofObjects.set(value, number);
      else ofOthers.set(value, [...(ofOthers.get(value) ?? []), number]);
      yield value;
    }
  }
  return {
    users: values(),
    lineOf(user) {
      if (typeof user === "object" && user !== null) return ofObjects.get(user);
      const [first, ...rest] = ofOthers.get(user) ?? [];
      if (rest.length === 0) ofOthers.delete(user);
      else ofOthers.set(user, rest);
      return first;
    },
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
