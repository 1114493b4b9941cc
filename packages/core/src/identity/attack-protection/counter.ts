import type { Random } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { failureWindow, isEmpty, readTries, type Tries } from "./tries.ts";

/** The stored attempts of a subject. */
export interface KnownCount {
  readonly revision: number;
  readonly tries: Tries;
}

/**
 * The row of one subject, changed by compare-and-swap. Unlike with `changeRow`, a row that contains no attempts any
 * more is deleted.
 */
export interface Counter {
  read(): Promise<KnownCount | undefined>;
  /**
   * Replaces the `known` state. @returns the new state; undefined if another write came first, and then nothing was
   * written.
   */
  write(known: KnownCount | undefined, tries: Tries): Promise<KnownCount | undefined>;
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

/** The first revision of a new row. It is random, so that a new row is never mistaken for a deleted one. */
export function firstRevision(random: Random): number {
  return random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
}
