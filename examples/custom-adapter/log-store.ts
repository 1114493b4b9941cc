import { open, readFile, type FileHandle } from "node:fs/promises";

/** An entry of the store: a name in a bucket, and its text. Writing an entry without text deletes it. */
export type Entry = readonly [bucket: string, name: string, text?: string];

/**
 * A key-value store in one file. It holds all entries in memory. Each write appends one line of JSON, and opening the
 * store reads the lines again. It has no rows, conditions or sort orders, and stands for the storage that you already
 * use.
 */
export class LogStore {
  readonly #buckets = new Map<string, Map<string, string>>();
  readonly #file: FileHandle;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a store, or creates an empty one. */
  static async open(path: string): Promise<LogStore> {
    const store = new LogStore(await open(path, "a"));
    for (const line of (await readFile(path, "utf8")).split("\n")) {
      const entries = parseLine(line);
      if (entries !== undefined) store.#apply(entries);
    }
    return store;
  }

  /** Returns the entries in a bucket, by name. */
  readonly bucket = (name: string): ReadonlyMap<string, string> => {
    if (this.#closed) throw new Error("the store is closed");
    return this.#buckets.get(name) ?? new Map();
  };

  /** Returns the names of all buckets. */
  bucketNames(): string[] {
    return [...this.#buckets.keys()];
  }

  /**
   * Writes all entries that `decide` returns, or none of them in a crash. Writes run one after another, so data that
   * `decide` reads does not change before the write.
   */
  write(decide: () => readonly Entry[]): Promise<void> {
    const writing = this.#lastWrite.then(async () => {
      const entries = decide();
      if (entries.length === 0) return;
      // The line break comes first, so that an incomplete line after a crash is separated from the next one.
      await this.#file.appendFile(`\n${JSON.stringify(entries)}`);
      await this.#file.datasync();
      this.#apply(entries);
    });
    this.#lastWrite = writing.catch(() => {});
    return writing;
  }

  /** Waits for pending writes, then closes the file. */
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

/** Parses the entries in a line. Returns undefined for an empty line, and for a line that a crash left incomplete. */
function parseLine(line: string): Entry[] | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
