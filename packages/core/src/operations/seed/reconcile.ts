import { isPosternError, PosternError } from "../../errors.ts";
import type { SeedDifference, SeedReport } from "./seed.ts";
import { isObject } from "../../store/value.ts";

/** Collects the report of a seed. */
export class SeedProgress implements SeedReport {
  readonly created: string[] = [];
  readonly changed: string[] = [];
  readonly differences: SeedDifference[] = [];
}

/** A resource that a seed defines. */
interface SeedRecord<Stored extends object> {
  /** The name of the resource in reports and errors, such as `API 'https://api.example.com'`. */
  readonly subject: string;
  /** The fields that the seed defines, named as in the Management API. */
  readonly fields: object;
  readonly sync: boolean;
  find(): Promise<Stored | undefined>;
  create(): Promise<Stored>;
  /** Sets these fields to the values in the seed. */
  update(stored: Stored, fields: object): Promise<unknown>;
}

/** The result of {@link reconcile}. */
interface ReconcileResult<Stored> {
  readonly stored: Stored;
  readonly isNew: boolean;
}

/**
 * Creates a missing resource, or compares an existing resource with the seed. With `sync`, the stored resource is
 * changed to match the seed; otherwise the differences are reported.
 * @throws {PosternError} `configuration_error` that names the invalid part.
 */
export async function reconcile<Stored extends object>(
  progress: SeedProgress,
  wanted: SeedRecord<Stored>,
): Promise<ReconcileResult<Stored>> {
  return validateAsInput(wanted.subject, async () => {
    const known = await wanted.find();
    if (known === undefined) {
      const created = await createOnce(wanted);
      if (created !== undefined) {
        progress.created.push(wanted.subject);
        return { stored: created, isNew: true };
      }
    }
    const stored = known ?? (await wanted.find());
    if (stored === undefined) throw new PosternError("configuration_error", `${wanted.subject} was deleted while the seed was applied`);
    const fields = Object.fromEntries(Object.entries(wanted.fields).filter(([name, value]) => !matchesSeed(valueOf(stored, name), value)));
    for (const [field, value] of wanted.sync ? [] : Object.entries(fields)) {
      progress.differences.push({ subject: wanted.subject, field, stored: valueOf(stored, field), wanted: value });
    }
    if (wanted.sync && Object.keys(fields).length > 0) {
      await wanted.update(stored, fields);
      addOnce(progress.changed, wanted.subject);
    }
    return { stored, isNew: false };
  });
}

/** Adds a subject to a list, once. */
export function addOnce(subjects: string[], subject: string): void {
  if (!subjects.includes(subject)) subjects.push(subject);
}

/** Creates a resource. Returns undefined after a conflict with another process that starts at the same time. */
async function createOnce<Stored extends object>(wanted: SeedRecord<Stored>): Promise<Stored | undefined> {
  try {
    return await wanted.create();
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}

/**
 * Runs a function that validates input from the host application like input from an API caller. @throws {PosternError}
 * `configuration_error` with the reason.
 */
export async function validateAsInput<T>(subject: string, run: () => Promise<T>): Promise<T> {
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

/**
 * Whether a stored value matches the value in the seed. A stored object may have more members, the order of lists is
 * ignored, and null equals undefined.
 */
export function matchesSeed(stored: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted === null || stored === null || stored === undefined) return (wanted ?? null) === (stored ?? null);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(stored) || stored.length !== wanted.length) return false;
    const rest: unknown[] = [...stored];
    return wanted.every((one) => {
      const at = rest.findIndex((other) => matchesSeed(other, one));
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
  }
  if (typeof wanted !== "object") return stored === wanted;
  return typeof stored === "object" && Object.entries(wanted).every(([name, value]) => matchesSeed(valueOf(stored, name), value));
}

/** An object of settings, as the Management API returns it. */
interface SettingsObject {
  readonly [name: string]: unknown;
}

/**
 * Returns the stored object with the values in the seed. Members that the seed omits stay unchanged at every depth, as
 * {@link matchesSeed} ignores them. Lists are replaced.
 */
export function mergeSeed(stored: SettingsObject, wanted: SettingsObject): SettingsObject {
  const merged = Object.entries(wanted).map(([name, value]): readonly [string, unknown] => {
    const before = stored[name];
    return [name, isObject(before) && isObject(value) ? mergeSeed(before, value) : value];
  });
  return { ...stored, ...Object.fromEntries(merged) };
}
