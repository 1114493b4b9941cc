import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";

/** How long a failure counts, in milliseconds. */
export const failureWindow = 5 * 60_000;

/**
 * How long an attempt may stay undecided, in milliseconds. After this time, the process that reserved the attempt is
 * assumed to have crashed, and the reservation is ignored.
 */
const reservationWindow = 10_000;

const instantsSchema = z.record(z.string(), z.int());
const triesSchema = z.object({ failures: z.array(z.int()), reserved: instantsSchema, forms: instantsSchema.default({}) });

/** The recent password attempts of one account. Times are milliseconds since 1970. */
export interface Tries {
  /** When attempts failed, oldest first. */
  readonly failures: readonly number[];
  /** Undecided attempts: the time at which each was reserved, by id. */
  readonly reserved: { readonly [id: string]: number };
  /**
   * The forms of failed attempts: the time of the failure, by form id. A repeated submission of such a form is not
   * checked again.
   */
  readonly forms: { readonly [id: string]: number };
}

/** Whether another attempt is allowed (`free`), must wait for undecided attempts, or is throttled. */
type AttemptState = "free" | "undecided" | "throttled";

export const noTries: Tries = { failures: [], reserved: {}, forms: {} };

/** Parses the `attempts` of a row and drops expired ones. */
export function readTries(attempts: JsonObject, now: number): Tries {
  return currentTries(triesSchema.parse(attempts), now);
}

/**
 * Returns the attempts that still count at `now`. Times that are too far in the future are dropped as well, so that a
 * clock that was set back does not lock users out for longer.
 */
export function currentTries({ failures, reserved, forms }: Tries, now: number): Tries {
  const since = (instants: Tries["reserved"], window: number): Tries["reserved"] =>
    Object.fromEntries(Object.entries(instants).filter(([, at]) => Math.abs(now - at) < window));
  return {
    failures: failures.filter((at) => Math.abs(now - at) < failureWindow),
    reserved: since(reserved, reservationWindow),
    forms: since(forms, failureWindow),
  };
}

/** Returns whether another attempt is allowed. Failures and undecided attempts together never exceed `maximum`. */
export function attemptState({ failures, reserved }: Tries, maximum: number): AttemptState {
  if (failures.length >= maximum) return "throttled";
  return failures.length + Object.keys(reserved).length >= maximum ? "undecided" : "free";
}

export function isEmpty({ failures, reserved }: Tries): boolean {
  return failures.length === 0 && Object.keys(reserved).length === 0;
}

/** Adds an undecided attempt. */
export function reserved(tries: Tries, id: string, now: number): Tries {
  return { ...tries, reserved: { ...tries.reserved, [id]: now } };
}

/** Removes an undecided attempt. */
export function withoutReservation(tries: Tries, id: string): Tries {
  const { [id]: _gone, ...rest } = tries.reserved;
  return { ...tries, reserved: rest };
}

/**
 * Turns an undecided attempt into a failure. Keeps at most `maximum` failures.
 * @param form the id of the submitted form, if the attempt came from one.
 */
export function withFailure(tries: Tries, id: string, now: number, maximum: number, form?: string): Tries {
  if (form !== undefined && Object.hasOwn(tries.forms, form)) return withoutReservation(tries, id);
  const failures = [...tries.failures, now].toSorted((a, b) => a - b).slice(-maximum);
  const forms = form === undefined ? tries.forms : Object.fromEntries([...Object.entries(tries.forms), [form, now]].slice(-maximum));
  return { ...withoutReservation(tries, id), failures, forms };
}

/** Removes all failures and the attempt with this id. Other undecided attempts stay reserved. */
export function withoutFailures(tries: Tries, id: string): Tries {
  return { ...withoutReservation(tries, id), failures: [], forms: {} };
}
