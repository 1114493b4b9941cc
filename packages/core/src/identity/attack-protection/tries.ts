import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";

/** How long a failure counts, in milliseconds (spec section 8). */
export const failureWindow = 5 * 60_000;

/** How long a try may stay undecided, in milliseconds. After that its process is taken for lost, and it stands in nobody's way. */
export const reservationWindow = 10_000;

const Instants = z.record(z.string(), z.int());
const Tries = z.object({ failures: z.array(z.int()), reserved: Instants, forms: Instants.default({}) });

/** The password tries of one account that still matter. Instants are milliseconds since 1970. */
export interface Tries {
  /** When tries failed, oldest first. */
  readonly failures: readonly number[];
  /** Tries that are being decided: an id of each, and when it began. */
  readonly reserved: { readonly [id: string]: number };
  /** The forms whose tries failed, and when: one that is sent again is not tried again. */
  readonly forms: { readonly [id: string]: number };
}

/** What a further try meets: room for it, tries that must be decided first, or too many failures. */
export type Standing = "free" | "undecided" | "throttled";

export const noTries: Tries = { failures: [], reserved: {}, forms: {} };

/** Reads the `attempts` of a record, without what is too old to count. */
export function readTries(attempts: JsonObject, now: number): Tries {
  return currentTries(Tries.parse(attempts), now);
}

/** The tries that count at `now`. Distance counts in both directions: a clock that was set back must not lock anybody for longer. */
export function currentTries({ failures, reserved, forms }: Tries, now: number): Tries {
  const since = (instants: Tries["reserved"], window: number): Tries["reserved"] =>
    Object.fromEntries(Object.entries(instants).filter(([, at]) => Math.abs(now - at) < window));
  return {
    failures: failures.filter((at) => Math.abs(now - at) < failureWindow),
    reserved: since(reserved, reservationWindow),
    forms: since(forms, failureWindow),
  };
}

/** Where things stand, of current tries. Failures and undecided tries together never become more than `most`. */
export function standing({ failures, reserved }: Tries, most: number): Standing {
  if (failures.length >= most) return "throttled";
  return failures.length + Object.keys(reserved).length >= most ? "undecided" : "free";
}

export function isEmpty({ failures, reserved }: Tries): boolean {
  return failures.length === 0 && Object.keys(reserved).length === 0;
}

/** With one more undecided try. */
export function reserved(tries: Tries, id: string, now: number): Tries {
  return { ...tries, reserved: { ...tries.reserved, [id]: now } };
}

/** Without an undecided try, as if it had not been. */
export function givenBack(tries: Tries, id: string): Tries {
  const { [id]: _gone, ...rest } = tries.reserved;
  return { ...tries, reserved: rest };
}

/** With an undecided try turned into a failure. No more failures are kept than decide. @param form the form that it was sent in. */
export function failed(tries: Tries, id: string, now: number, most: number, form?: string): Tries {
  if (form !== undefined && Object.hasOwn(tries.forms, form)) return givenBack(tries, id);
  const failures = [...tries.failures, now].toSorted((a, b) => a - b).slice(-most);
  const forms = form === undefined ? tries.forms : Object.fromEntries([...Object.entries(tries.forms), [form, now]].slice(-most));
  return { ...givenBack(tries, id), failures, forms };
}

/** Without failures and without this try. What others have under way stays reserved. */
export function cleared(tries: Tries, id: string): Tries {
  return { ...givenBack(tries, id), failures: [], forms: {} };
}
