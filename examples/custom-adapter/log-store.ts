import { open, readFile, type FileHandle } from "node:fs/promises";

/** An entry of the store: a name in a bucket, and the text under it. No text removes what is there. */
export type Entry = readonly [bucket: string, name: string, text?: string];

/**
 * A key-value store over one file. All of it is in memory; each write appends one line of JSON, and opening the file reads the lines again.
 * It knows nothing of rows, conditions or orders: it stands for the store that you have.
 */
export class LogStore {
  readonly #buckets = new Map<string, Map<string, string>>();
  readonly #file: FileHandle;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a store, or makes an empty one. */
  static async open(path: string): Promise<LogStore> {
    const store = new LogStore(await open(path, "a"));
    for (const line of (await readFile(path, "utf8")).split("\n")) {
      const entries = parsed(line);
      if (entries !== undefined) store.#apply(entries);
    }
    return store;
  }

  /** The entries of a bucket, by name. */
  readonly bucket = (name: string): ReadonlyMap<string, string> => {
    if (this.#closed) throw new Error("the store is closed");
    return this.#buckets.get(name) ?? new Map();
  };

  /** The names of all buckets. */
  bucketNames(): string[] {
    return [...this.#buckets.keys()];
  }

  /**
   * Writes what `decide` returns: all of it or nothing, also in a crash. Writers take turns, so that what `decide` reads is still so when it is written.
   */
  write(decide: () => readonly Entry[]): Promise<void> {
    const writing = this.#lastWrite.then(async () => {
      const entries = decide();
      if (entries.length === 0) return;
      // The line break comes first: a line that a crash has cut off then ends before the next one begins.
      await this.#file.appendFile(`\n${JSON.stringify(entries)}`);
      await this.#file.datasync();
      this.#apply(entries);
    });
    this.#lastWrite = writing.catch(() => {});
    return writing;
  }

  /** Lets the writes under way end, then closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#lastWrite;
    await this.#file.close();
  }

  #apply(entries: readonly Entry[]): void {
    for (const [bucket, name, text] of entries) {
      const map = this.#buckets.get(bucket) ?? new Map<string, string>();
      if (text === undefined) map.delete(name);
      else this.#buckets.set(bucket, map.set(name, text));
    }
  }
}

/** The entries of a line; undefined for an empty line, and for one that a crash has cut off. */
function parsed(line: string): Entry[] | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
