import type { Random } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { failureWindow, isEmpty, readTries, type Tries } from "./tries.ts";
import { findOne } from "../../store/find-one.ts";

/** The stored attempts of a subject. */
export interface KnownCount {
  readonly revision: number;
  readonly tries: Tries;
}

/**
 * Reads and writes the row of one subject by compare-and-swap. Unlike `changeRow`, it deletes a row that no longer
 * contains attempts.
 */
export interface Counter {
  read(): Promise<KnownCount | undefined>;
  /**
   * Replaces the `known` state.
   * @returns the new state; undefined if another request changed the row first. In that case nothing was written.
   */
  write(known: KnownCount | undefined, tries: Tries): Promise<KnownCount | undefined>;
  remove(): Promise<void>;
}

export function counterOf(context: DataContext, subject: string): Counter {
  const { login_attempts: rows } = context.data;
  return {
    async read() {
      const row = await findOne(rows, { subject_hash: subject });
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

/**
 * Returns the first revision of a new row. It is random, so that a writer that read a row which has since been deleted
 * does not overwrite the new one.
 */
export function firstRevision(random: Random): number {
  return random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
}
