import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { counterOf, type Counter, type Known } from "./counter.ts";
import { cleared, currentTries, failed, givenBack, noTries, reserved, standing, type Tries } from "./tries.ts";

/** A password try that was counted before it is decided. Exactly one of the three ends it; one that none ends expires after ten seconds. */
export interface ReservedAttempt {
  /** The password was wrong. @returns whether this failure is the one from which on the account is throttled. */
  fail(): Promise<boolean>;
  /** The login succeeded: the account's failures are forgotten. */
  clear(): Promise<void>;
  /** Nothing was decided. */
  giveBack(): Promise<void>;
}

/** How long a try waits for others that are undecided, and how long it pauses between looks: milliseconds. */
const patience = 2000;
const pauses = { first: 20, longest: 200 };

/**
 * One failure in so many removes what is over in its tenant. Anybody can fail with names that nobody has, and each has a row: so what is kept is the failures of
 * five minutes and some hundred more, whether or not the host sweeps. Each of these cost a password's hash, of which a process makes a few dozen a second.
 *
 * No number bounds the rows. Names that shared a row, or gave way to newer ones, would be throttled at the first try or forgotten too early once a flood runs,
 * and accounts would not: whoever floods could tell which names have one.
 */
const removesOne = 256;

/** How often a change is tried against changes that others make meanwhile. Rivals are few: undecided tries are never more than the limit. */
const rounds = 10;

/** What failures of an account are counted under. Linked accounts count on their primary (spec section 8). */
export async function accountSubject(primaryUserId: string): Promise<string> {
  return sha256(`account:${primaryUserId}`);
}

/** What failures with an identifier that no account has are counted under. */
export async function identifierSubject(connection: string, identifier: string): Promise<string> {
  return sha256(`identifier:${connection}:${identifier}`);
}

/** Forgets the failures of an account, for logins without a password and for a password reset. One statement. */
export async function clearFailures(data: Pick<TenantData, "login_attempts">, primaryUserId: string): Promise<void> {
  await data.login_attempts.delete({ subject_hash: await accountSubject(primaryUserId) });
}

/** Why a try is not to be made: too many failed, or its form was sent before and what came of that is decided. */
export type RefusedAttempt = "throttled" | "repeated";

/**
 * Reserves a try: to be called before the password is hashed, so that parallel ones are counted too. With nothing on record it takes one statement.
 * A try that only undecided ones stand in the way of waits for them, up to two seconds.
 * @param most how many failures within five minutes throttle.
 * @param form stands for one form with what was typed in it. However often it is sent, it counts once: a second sending waits for the first.
 * @returns `throttled` also when the others stay undecided.
 */
export async function reserveAttempt(
  context: DataContext,
  subject: string,
  most: number,
  form?: string,
): Promise<ReservedAttempt | RefusedAttempt> {
  const counter = counterOf(context, subject);
  const id = form ?? context.random.token(6);
  const first = await counter.write(undefined, reserved(noTries, id, context.now()));
  if (first !== undefined) return reservation(context, counter, first, { id, most, form });

  for (let waited = 0, pause = pauses.first; ; waited += pause, pause = Math.min(pause * 2, pauses.longest)) {
    const known = await counter.read();
    const tries = known?.tries ?? noTries;
    if (form !== undefined && Object.hasOwn(tries.forms, form)) return "repeated";
    // A first sending that stays undecided is lost with its process: the second takes its place, and counts for both.
    const awaited = Object.hasOwn(tries.reserved, id) && waited < patience;
    const found = awaited ? "undecided" : standing(givenBack(tries, id), most);
    if (found === "throttled") return "throttled";
    const held = found === "free" ? await counter.write(known, reserved(tries, id, context.now())) : undefined;
    if (held !== undefined) return reservation(context, counter, held, { id, most, form });
    if (waited >= patience) return "throttled";
    await context.host.wait(pause);
  }
}

interface Reservation {
  readonly id: string;
  readonly most: number;
  readonly form: string | undefined;
}

function reservation(context: DataContext, counter: Counter, held: Known, { id, most, form }: Reservation): ReservedAttempt {
  /** @returns the tries before and after the change; undefined when others came first each time. */
  const change = async (next: (tries: Tries, now: number) => Tries): Promise<readonly [Tries, Tries] | undefined> => {
    let known: Known | undefined = held;
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
      const changed = await change((tries, now) => failed(tries, id, now, most, form));
      // Nothing may be answered that was not counted.
      if (changed === undefined) throw new PosternError("conflict", "others keep trying to log in with this; try again");
      if ((context.random.bytes(1)[0] ?? 0) % removesOne === 0)
        await context.data.login_attempts.delete({ expires_at: { lt: context.now() } });
      const [before, after] = changed;
      return standing(before, most) !== "throttled" && standing(after, most) === "throttled";
    },
    async clear() {
      if ((await change((tries) => cleared(tries, id))) === undefined) await counter.remove();
    },
    async giveBack() {
      await change((tries) => givenBack(tries, id));
    },
  };
}
