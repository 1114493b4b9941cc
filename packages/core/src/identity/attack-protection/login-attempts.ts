import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { counterOf, type Counter, type KnownCount } from "./counter.ts";
import { withoutFailures, currentTries, withFailure, withoutReservation, noTries, reserved, attemptState, type Tries } from "./tries.ts";

/**
 * A password attempt that was counted before its password is checked. Call exactly one of the three methods; without a
 * call, the reservation expires after ten seconds.
 */
export interface ReservedAttempt {
  /** The password was wrong. @returns `true` if this failure starts the throttling of the account. */
  fail(): Promise<boolean>;
  /** The login succeeded: clears the failures of the account. */
  clear(): Promise<void>;
  /** The password was not checked. */
  giveBack(): Promise<void>;
}

/** How long an attempt waits for undecided ones, and how long it pauses between reads, in milliseconds. */
const maximumWait = 2000;
const pauses = { first: 20, longest: 200 };

/**
 * One failure in this many deletes the expired rows of its tenant. Every identifier that fails has a row, even without
 * an account. Without `sweep`, the table therefore holds the failures of about five minutes and some hundred more. Each
 * of them cost a password hash, and a process computes a few dozen per second.
 *
 * The number of rows has no limit. If identifiers shared rows, or newer ones replaced older ones, a flood would
 * throttle unknown identifiers at the first attempt or forget their failures too early, unlike those of accounts. An
 * attacker could then tell which identifiers have an account.
 */
const cleanupInterval = 256;

/**
 * How often a change is retried after lost races. There are few competitors: at most as many undecided attempts as the
 * limit.
 */
const rounds = 10;

/**
 * The subject under which failures of an account are counted. Linked accounts count on their primary account (spec
 * section 8).
 */
export async function accountSubject(primaryUserId: string): Promise<string> {
  return sha256(`account:${primaryUserId}`);
}

/** The subject under which failures are counted for an identifier that has no account. */
export async function identifierSubject(connection: string, identifier: string): Promise<string> {
  return sha256(`identifier:${connection}:${identifier}`);
}

/** Clears the failures of an account, for logins without a password and for a password reset. One statement. */
export async function clearFailures(data: Pick<TenantData, "login_attempts">, primaryUserId: string): Promise<void> {
  await data.login_attempts.delete({ subject_hash: await accountSubject(primaryUserId) });
}

/** Why an attempt is refused: too many failures, or its form was submitted before and has been decided. */
export type AttemptRejection = "throttled" | "repeated";

/**
 * Reserves an attempt. Call it before the password is hashed, so that parallel attempts are counted as well. Costs one
 * statement if nothing is stored for the subject. If only undecided attempts are in the way, waits for them for up to
 * two seconds.
 * @param maximum how many failures within five minutes throttle the subject.
 * @param form identifies a submitted form with its input. Each form counts once: a repeated submission waits for the
 * first one.
 * @returns `throttled` also if the other attempts stay undecided.
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

  for (let waited = 0, pause = pauses.first; ; waited += pause, pause = Math.min(pause * 2, pauses.longest)) {
    const known = await counter.read();
    const tries = known?.tries ?? noTries;
    if (form !== undefined && Object.hasOwn(tries.forms, form)) return "repeated";
    // The process of a first submission that stays undecided has crashed: the second one replaces it and counts for
    // both.
    const isAwaited = Object.hasOwn(tries.reserved, id) && waited < maximumWait;
    const found = isAwaited ? "undecided" : attemptState(withoutReservation(tries, id), maximum);
    if (found === "throttled") return "throttled";
    const held = found === "free" ? await counter.write(known, reserved(tries, id, context.now())) : undefined;
    if (held !== undefined) return reservation(context, counter, held, { id, maximum, form });
    if (waited >= maximumWait) return "throttled";
    await context.host.wait(pause);
  }
}

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
