import type { Random } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { counterOf, type Counter, type KnownCount } from "./counter.ts";
import { withoutFailures, currentTries, withFailure, withoutReservation, noTries, reserved, attemptState, type Tries } from "./tries.ts";

/**
 * A password attempt that was counted before its password is checked. Call exactly one of the three methods. If none is
 * called, the reservation expires after ten seconds.
 */
export interface ReservedAttempt {
  /** Counts a failure: the password was wrong. @returns `true` if this failure starts the throttling of the account. */
  fail(): Promise<boolean>;
  /** Clears the failures of the account, because the login succeeded. */
  clear(): Promise<void>;
  /** Removes the reservation, because the password was not checked. */
  giveBack(): Promise<void>;
}

/** How long an attempt waits for other attempts in total, in milliseconds. */
const maximumWait = 2000;

/**
 * On average, one in this many failures deletes the expired rows of its tenant. Every identifier with a failed login
 * has a row, even if no account has the identifier. Without `sweep`, the table therefore holds the failures of about
 * five minutes and a few hundred more. Each failure costs one password hash, and a process computes a few dozen hashes
 * per second.
 *
 * The number of rows is not limited. If identifiers shared rows, a flood of failures would throttle unknown identifiers
 * at their first attempt. If newer rows replaced older ones, a flood would erase the failures of unknown identifiers
 * too early. Accounts would behave differently, so an attacker could tell which identifiers have an account.
 */
const cleanupInterval = 256;

/**
 * How often a change is retried after a lost race. Few attempts compete for a row: the number of undecided attempts
 * never exceeds the maximum number of failures.
 */
const rounds = 10;

/**
 * Returns the subject under which the failures of an account are counted. Failures of linked accounts are counted under
 * their primary account.
 */
export async function accountSubject(primaryUserId: string): Promise<string> {
  return sha256(`account:${primaryUserId}`);
}

/** Returns the subject under which failures are counted for an identifier that no account has. */
export async function identifierSubject(connection: string, identifier: string): Promise<string> {
  return sha256(`identifier:${connection}:${identifier}`);
}

/** Clears the failures of an account with one statement. For logins without a password, and for password resets. */
export async function clearFailures(data: Pick<TenantData, "login_attempts">, primaryUserId: string): Promise<void> {
  await data.login_attempts.delete({ subject_hash: await accountSubject(primaryUserId) });
}

/**
 * Why an attempt is rejected. `throttled`: too many failures. `repeated`: the form was submitted before, and its
 * password was wrong.
 */
export type AttemptRejection = "throttled" | "repeated";

/**
 * Reserves an attempt. Call this function before the password is hashed, so that parallel attempts are counted as well.
 * Sends one statement if nothing is stored for the subject. If the attempt would be allowed but for other, undecided
 * attempts, waits up to two seconds for them.
 * @param maximum the number of failures within five minutes that throttles the subject.
 * @param form identifies a submitted form and its input. Each form counts once: a repeated submission waits for the
 * result of the first one.
 * @returns the reservation, or why the attempt is rejected. `throttled` includes the case that other attempts are still
 * undecided after two seconds.
 */
export async function reserveAttempt(
  context: DataContext,
  subject: string,
  maximum: number,
  form?: string,
): Promise<ReservedAttempt | AttemptRejection> {
  const counter = counterOf(context, subject);
  const id = form ?? context.random.token(6);
  const first = await counter.write(undefined, reserved(noTries, id, context.now()));
  if (first !== undefined) return reservation(context, counter, first, { id, maximum, form });

  for (let waited = 0; ;) {
    const known = await counter.read();
    const tries = known?.tries ?? noTries;
    if (form !== undefined && Object.hasOwn(tries.forms, form)) return "repeated";
    // If the first submission stays undecided, its process is assumed to have crashed. The second submission then
    // replaces the reservation, and the two count as one attempt.
    const isAwaited = Object.hasOwn(tries.reserved, id) && waited < maximumWait;
    const found = isAwaited ? "undecided" : attemptState(withoutReservation(tries, id), maximum);
    if (found === "throttled") return "throttled";
    const held = found === "free" ? await counter.write(known, reserved(tries, id, context.now())) : undefined;
    if (held !== undefined) return reservation(context, counter, held, { id, maximum, form });
    if (waited >= maximumWait) return "throttled";
    const pause = found === "free" ? pauseAfterRace(context.random) : pauseWhileUndecided(waited);
    waited += pause;
    await context.host.wait(pause);
  }
}

/** Returns a short random pause in milliseconds, after a lost race. */
const pauseAfterRace = (random: Random): number => 1 + ((random.bytes(1)[0] ?? 0) % 8);

/**
 * Returns the pause in milliseconds before the next read while other attempts are undecided. The first pause is about
 * as long as a password hash. Later ones are shorter, so that newer attempts rarely overtake a waiting one.
 */
const pauseWhileUndecided = (waited: number): number => Math.max(10, 40 - waited / 10);

interface Reservation {
  readonly id: string;
  readonly maximum: number;
  readonly form: string | undefined;
}

function reservation(context: DataContext, counter: Counter, held: KnownCount, { id, maximum, form }: Reservation): ReservedAttempt {
  /** @returns the tries before and after the change; undefined if parallel changes came first each time. */
  const change = async (next: (tries: Tries, now: number) => Tries): Promise<readonly [Tries, Tries] | undefined> => {
    let known: KnownCount | undefined = held;
    for (let round = 0; round < rounds; round++) {
      if (round > 0) known = await counter.read();
      const now = context.now();
      const before = currentTries(known?.tries ?? noTries, now);
      const after = next(before, now);
      if ((await counter.write(known, after)) !== undefined) return [before, after];
    }
    return undefined;
  };

  return {
    async fail() {
      const changed = await change((tries, now) => withFailure(tries, id, now, maximum, form));
      // No response may be sent for an attempt that was not counted.
      if (changed === undefined) throw new PosternError("conflict", "too many parallel login attempts: try again");
      if ((context.random.bytes(1)[0] ?? 0) % cleanupInterval === 0)
        await context.data.login_attempts.delete({ expires_at: { lt: context.now() } });
      const [before, after] = changed;
      return attemptState(before, maximum) !== "throttled" && attemptState(after, maximum) === "throttled";
    },
    async clear() {
      if ((await change((tries) => withoutFailures(tries, id))) === undefined) await counter.remove();
    },
    async giveBack() {
      await change((tries) => withoutReservation(tries, id));
    },
  };
}
