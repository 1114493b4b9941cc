import type { Random } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { failureWindow, isEmpty, readTries, type Tries } from "./tries.ts";

/** What is on record of a subject. */
export interface Known {
  readonly revision: number;
  readonly tries: Tries;
}

/** The record of one subject, changed by compare-and-swap. Rows come and go here, unlike those that `changeRow` is for: one that says nothing any more is removed. */
export interface Counter {
  read(): Promise<Known | undefined>;
  /** Replaces what is `known`. @returns what is on record now; undefined when another write came first, and then nothing was written. */
  write(known: Known | undefined, tries: Tries): Promise<Known | undefined>;
  remove(): Promise<void>;
}

export function counterOf(context: DataContext, subject: string): Counter {
  const { login_attempts: rows } = context.data;
  return {
    async read() {
      const [row] = await rows.find({ where: { subject_hash: subject }, limit: 1 });
      return row && { revision: row.revision, tries: readTries(row.attempts, context.now()) };
    },
    async write(known, tries) {
      const now = context.now();
      const set = { attempts: { ...tries }, updated_at: now, expires_at: now + failureWindow };
      if (known === undefined) {
        const row = { subject_hash: subject, ...set, revision: firstRevision(context.random) };
        return isEmpty(tries) || (await rows.insert([row])) ? { revision: row.revision, tries } : undefined;
      }
      const { revision } = known;
      const where = { subject_hash: subject, revision };
      const count = isEmpty(tries) ? await rows.delete(where) : await rows.update(where, { set, add: { revision: 1 } });
      return count === 1 ? { revision: revision + 1, tries } : undefined;
    },
    async remove() {
      await rows.delete({ subject_hash: subject });
    },
  };
}

/** Rows come and go. With a revision to begin at that differs each time, nobody takes a new row for the one that was there before. */
export function firstRevision(random: Random): number {
  return random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
}
