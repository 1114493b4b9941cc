/** An adapter does not meet a requirement. The message contains the call, the expected result and the actual result. */
export class CaseFailure extends Error {
  override readonly name = "CaseFailure";
}

/**
 * A case has no result, because it depends on a requirement that the adapter does not meet. `dependsOn` names the case
 * that tests this requirement. A test runner shows an inconclusive case as failed; the report distinguishes
 * inconclusive and failed cases.
 */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
  readonly dependsOn: string;

  constructor(dependsOn: string) {
    super(`cannot be checked while the case '${dependsOn}' fails`);
    this.dependsOn = dependsOn;
  }
}

/** A case does not apply to this adapter. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Throws a {@link CaseFailure} unless both values are the same data. The order of keys in objects is ignored. */
export function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isSame(actual, expected)) throw new CaseFailure([what, ...differences("", actual, expected).slice(0, 5)].join("\n"));
}

/**
 * Returns the paths at which two values differ. A row has up to thirty fields, so printing both rows would hide the
 * difference.
 */
function differences(place: string, actual: unknown, expected: unknown): string[] {
  if (isSame(actual, expected)) return [];
  const [a, b] = [members(actual), members(expected)];
  if (a === undefined || b === undefined || (Array.isArray(actual) && a.size !== b.size)) {
    return [`  ${place === "" ? "" : `${place}: `}expected ${show(expected)}, got ${show(actual)}`];
  }
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => differences(`${place}/${key}`, a.get(key), b.get(key)));
}

const members = (value: unknown): Map<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;

/** Like {@link equal}, but ignores the order of the two lists. */
export function equalInAnyOrder(what: string, actual: readonly unknown[], expected: readonly unknown[]): void {
  equal(what, inOneOrder(actual), inOneOrder(expected));
}

/** Sorts a list by the JSON of its elements. */
export function inOneOrder(list: readonly unknown[]): unknown[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? "";
  return list.toSorted((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

/** Throws a {@link CaseFailure} unless the call rejects with an error that passes `test`. */
export async function rejects(what: string, call: () => Promise<unknown>, test: (error: unknown) => boolean = () => true): Promise<void> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (!test(error)) throw new CaseFailure(`${what}\n  rejected with another error: ${String(error)}`, { cause: error });
    return;
  }
  throw new CaseFailure(`${what}\n  expected a rejection, got ${show(result)}`);
}

/** Throws {@link Inconclusive} unless a precondition holds. Another case, `dependsOn`, tests the precondition. */
export function assume(holds: boolean, dependsOn: string): void {
  if (!holds) throw new Inconclusive(dependsOn);
}

/**
 * Whether two values are the same data. Compares own keys only, treats `__proto__` as an ordinary key, and treats +0
 * and -0 as equal.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const members = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === members.size && entries.every(([key, value]) => members.has(key) && isSame(value, members.get(key)));
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
