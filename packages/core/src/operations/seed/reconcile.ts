import { isPosternError, PosternError } from "../../errors.ts";
import type { SeedDifference, SeedReport } from "./seed.ts";

/** Notes what a seed does. */
export class Progress implements SeedReport {
  readonly created: string[] = [];
  readonly changed: string[] = [];
  readonly differences: SeedDifference[] = [];
}

/** Something that a seed asks for. */
export interface Wanted<Stored extends object> {
  /** `API 'https://api.example.com'`. */
  readonly subject: string;
  /** The fields that the code says, by the names that the API has for them. */
  readonly fields: object;
  readonly sync: boolean;
  find(): Promise<Stored | undefined>;
  create(): Promise<Stored>;
  /** Sets the named fields to what the code says. */
  update(stored: Stored, fields: object): Promise<unknown>;
}

/** What became of something. */
export interface Reconciled<Stored> {
  readonly stored: Stored;
  readonly isNew: boolean;
}

/**
 * Adds what is missing, and compares what is there: it is changed where the code is the authority, else the difference is noted.
 * @throws {PosternError} `configuration_error` that names what cannot be.
 */
export async function reconcile<Stored extends object>(progress: Progress, wanted: Wanted<Stored>): Promise<Reconciled<Stored>> {
  return asInput(wanted.subject, async () => {
    const known = await wanted.find();
    if (known === undefined) {
      const created = await createOnce(wanted);
      if (created !== undefined) {
        progress.created.push(wanted.subject);
        return { stored: created, isNew: true };
      }
    }
    const stored = known ?? (await wanted.find());
    if (stored === undefined) throw new PosternError("configuration_error", `${wanted.subject} was removed while it was looked at`);
    const fields = Object.fromEntries(Object.entries(wanted.fields).filter(([name, value]) => !holds(valueOf(stored, name), value)));
    for (const [field, value] of wanted.sync ? [] : Object.entries(fields)) {
      progress.differences.push({ subject: wanted.subject, field, stored: valueOf(stored, field), wanted: value });
    }
    if (wanted.sync && Object.keys(fields).length > 0) {
      await wanted.update(stored, fields);
      note(progress.changed, wanted.subject);
    }
    return { stored, isNew: false };
  });
}

/** Notes a subject once. */
export function note(subjects: string[], subject: string): void {
  if (!subjects.includes(subject)) subjects.push(subject);
}

/** Two processes that start together both find nothing: the second one finds what the first has made. */
async function createOnce<Stored extends object>(wanted: Wanted<Stored>): Promise<Stored | undefined> {
  try {
    return await wanted.create();
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}

/** What a host gives is checked as what a caller of the API gives is. @throws {PosternError} `configuration_error` with what is wrong. */
export async function asInput<T>(subject: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isPosternError(error) || error.status >= 500) throw error;
    throw new PosternError("configuration_error", `${subject} cannot be used: ${error.message.replace(/^body: /, "")}`, { cause: error });
  }
}

function valueOf(stored: object, name: string): unknown {
  return Object.entries(stored).find(([key]) => key === name)?.[1];
}

/** Whether a stored value says what is wanted: an object may say more, the order of a list of texts says nothing, and null is as good as none. */
export function holds(stored: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted === null || stored === null || stored === undefined) return (wanted ?? null) === (stored ?? null);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(stored) || stored.length !== wanted.length) return false;
    const rest: unknown[] = [...stored];
    return wanted.every((one) => {
      const at = rest.findIndex((other) => holds(other, one));
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
  }
  if (typeof wanted !== "object") return stored === wanted;
  return typeof stored === "object" && Object.entries(wanted).every(([name, value]) => holds(valueOf(stored, name), value));
}
