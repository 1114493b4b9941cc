import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** The users of a file with one JSON object per line. */
interface UserLines {
  /**
   * The parsed values of the lines, in order. A line that is not JSON is returned as text, which the import rejects.
   */
  readonly users: AsyncIterable<unknown>;
  /** Returns the line number of a rejected value. Call it once per rejected value. */
  lineOf(user: unknown): number | undefined;
}

/** Reads a file of any size line by line. */
export function readUserLines(path: string): UserLines {
  // The key is the parsed object, because an import rejects some values at once and others later. A weak map does not
  // keep accepted values in memory.
  const linesOfObjects = new WeakMap<object, number>();
  // The import rejects every value that is not an object. It rejects equal values in the order of the file.
  const linesOfOthers = new Map<unknown, number[]>();
  async function* values(): AsyncGenerator<unknown> {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number++;
      if (line.trim() === "") continue;
      const value = parseLine(line);
      if (typeof value === "object" && value !== null) linesOfObjects.set(value, number);
      else linesOfOthers.set(value, [...(linesOfOthers.get(value) ?? []), number]);
      yield value;
    }
  }
  return {
    users: values(),
    lineOf(user) {
      if (typeof user === "object" && user !== null) return linesOfObjects.get(user);
      const [first, ...rest] = linesOfOthers.get(user) ?? [];
      if (rest.length === 0) linesOfOthers.delete(user);
      else linesOfOthers.set(user, rest);
      return first;
    },
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
