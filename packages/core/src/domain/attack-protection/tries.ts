import * as z from "zod";
import type { JsonObject } from "../../data/value.ts";

/** How long a failure counts, in milliseconds (spec section 8). */
export const failureWindow = 5 * 60_000;

/** How long a try may stay undecided, in milliseconds. After that its process is taken for lost, and it stands in nobody's way. */
export const reservationWindow = 10_000;

const Tries = z.object({ failures: z.array(z.int()), reserved: z.record(z.string(), z.int()) });

/** The password tries of one account that still matter. Instants are milliseconds since 1970. */
export interface Tries {
  /** When tries failed, oldest first. */
  readonly failures: readonly number[];
  /** Tries that are being decided: an id of each, and when it began. */
  readonly reserved: { readonly [id: string]: number };
}

/** What a further try meets: room for it, tries that must be decided first, or too many failures. */
export type Standing = "free" | "undecided" | "throttled";

export const noTries: Tries = { failures: [], reserved: {} };

/** Reads the `attempts` of a record, without what is too old to count. */
export function readTries(attempts: JsonObject, now: number): Tries {
  return currentTries(Tries.parse(attempts), now);
}

/** The tries that count at `now`. Distance counts in both directions: a clock that was set back must not lock anybody for longer. */
export function currentTries({ failures, reserved }: Tries, now: number): Tries {
  return {
    failures: failures.filter((at) => Math.abs(now - at) < failureWindow),
    reserved: Object.fromEntries(Object.entries(reserved).filter(([, at]) => Math.abs(now - at) < reservationWindow)),
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

/** With an undecided try turned into a failure. No more failures are kept than decide. */
export function failed(tries: Tries, id: string, now: number, most: number): Tries {
  const failures = [...tries.failures, now].toSorted((a, b) => a - b).slice(-most);
  return { ...givenBack(tries, id), failures };
}

/** Without failures and without this try. What others have under way stays reserved. */
export function cleared(tries: Tries, id: string): Tries {
  return { ...givenBack(tries, id), failures: [] };
}
