import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { firstRevision } from "../attack-protection/counter.ts";
import { findOne } from "../../store/find-one.ts";

/** The number of attempts that a user has for each factor type after a pause, as in Auth0. */
export const factorAttempts = 10;

/** Milliseconds until a user gets back one attempt, as in Auth0. */
export const factorAttemptInterval = 6 * 60_000;

/** Milliseconds until all attempts are available again. The user is warned at most once in this period. */
const refillTime = factorAttempts * factorAttemptInterval;

/**
 * How often a change is tried. Each lost race means that another attempt was counted, and there are at most ten before
 * the attempts are used up. Successes in between reset the count.
 */
const rounds = 40;

/**
 * How long a repeated submission of a form waits for the result of the first one, and how long it pauses between two
 * reads, in milliseconds.
 */
const maximumWait = 2000;
const pauses = { first: 20, longest: 200 };

const storedSchema = z.object({
  /** When all attempts are available again, in milliseconds since 1970. */
  full_at: z.int(),
  /** When an attempt last asked the caller to warn the user, in milliseconds since 1970. Null: never. */
  warned_at: z.int().nullable(),
  /** The newest forms with which attempts were made, oldest first. */
  forms: z.array(z.object({ id: z.string(), failed: z.boolean() })).default([]),
});

/** The attempts of a user with one type of factor. */
type Stored = z.infer<typeof storedSchema>;

/** An attempt that was counted before its code is compared. */
export interface FactorAttempt {
  /**
   * Whether this attempt is the last for now. If it fails, the user is told and the audit event `locked` is written, see
   * `auditFailure`. At most one attempt an hour has this set.
   */
  readonly isLast: boolean;
  /** Gives the user all attempts back, because the code was right. */
  succeed(): Promise<void>;
  /**
   * Marks the form as failed, so that repeated submissions return `repeated`. Without a form this does nothing, because
   * the attempt is already counted.
   */
  fail(): Promise<void>;
}

/**
 * Counts an attempt to authenticate with a factor. Call this function before the code is compared, so that parallel
 * attempts are counted as well. Attempts are counted for a primary account and a factor type, across login sessions,
 * clients, IP addresses and factors of the type. They are independent of failed password logins.
 *
 * A user has {@link factorAttempts} attempts and gets one back every {@link factorAttemptInterval} milliseconds. Only a
 * right code gives them back earlier. Sends one statement if no attempt is stored.
 * @param form identifies a submitted form and its code. Each form counts once: a repeated submission waits for the result
 * of the first one.
 * @returns the attempt; `throttled` if no attempt is left; `repeated` if the form was submitted before and its code was
 * wrong. In the last two cases nothing was counted, and the code must not be compared.
 * @throws {PosternError} `temporarily_unavailable` if parallel attempts changed the count first each time.
 */
export async function reserveFactorAttempt(context: DataContext, userId: string, type: FactorType): Promise<FactorAttempt | "throttled">;
export async function reserveFactorAttempt(
  context: DataContext,
  userId: string,
  type: FactorType,
  form: string | undefined,
): Promise<FactorAttempt | "throttled" | "repeated">;
export async function reserveFactorAttempt(
  context: DataContext,
  userId: string,
  type: FactorType,
  form?: string,
): Promise<FactorAttempt | "throttled" | "repeated"> {
  const { login_attempts: rows } = context.data;
  const subject_hash = await subjectOf(userId, type);
  const attempt = (isLast: boolean): FactorAttempt => ({
    isLast,
    succeed: async () => clearFactorAttempts(context, userId, type),
    fail: async () => (form === undefined ? undefined : markFailed(context, subject_hash, form)),
  });
  let [waited, pause] = [0, pauses.first];
  for (let round = 0; round < rounds; round++) {
    const row = round === 0 ? undefined : await findOne(rows, { subject_hash });
    const now = context.now();
    const stored = row === undefined ? undefined : storedSchema.parse(row.attempts);
    const former = stored?.forms.find(({ id }) => id === form);
    if (former?.failed === true) return "repeated";
    if (former !== undefined) {
      // If the first submission stays undecided, its process is assumed to have crashed. The code is compared again, and
      // the two submissions count as one attempt.
      if (waited >= maximumWait) return attempt(false);
      await context.host.wait(pause);
      [waited, pause] = [waited + pause, Math.min(pause * 2, pauses.longest)];
      continue;
    }
    const next = withAttempt(stored, now, form);
    if (next === undefined) return "throttled";
    const set = { attempts: { ...next.stored }, updated_at: now, expires_at: next.stored.full_at };
    const written =
      row === undefined
        ? await rows.insert([{ subject_hash, ...set, revision: firstRevision(context.random) }])
        : (await rows.update({ subject_hash, revision: row.revision }, { set, add: { revision: 1 } })) === 1;
    if (written) return attempt(next.isLast);
  }
  throw new PosternError("temporarily_unavailable", "too many parallel attempts to authenticate with one factor: try again");
}

/**
 * Marks the form of an attempt as failed. If this write fails, a repeated submission waits for the maximum time and
 * then compares the code again.
 */
async function markFailed({ data: { login_attempts } }: DataContext, subject_hash: string, form: string): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const row = await findOne(login_attempts, { subject_hash });
    if (row === undefined) return;
    const stored = storedSchema.parse(row.attempts);
    const forms = stored.forms.map((one) => (one.id === form ? { ...one, failed: true } : one));
    const set = { attempts: { ...stored, forms } };
    if ((await login_attempts.update({ subject_hash, revision: row.revision }, { set, add: { revision: 1 } })) === 1) return;
  }
}

/**
 * Returns when a user has an attempt with a type of factor again, in milliseconds since 1970. Undefined if the user has
 * one now. Counts no attempt.
 */
export async function nextFactorAttempt(context: DataContext, userId: string, type: FactorType): Promise<number | undefined> {
  const row = await findOne(context.data.login_attempts, { subject_hash: await subjectOf(userId, type) });
  if (row === undefined) return undefined;
  const now = context.now();
  const { full_at: fullAt } = storedSchema.parse(row.attempts);
  const next = fullAt + factorAttemptInterval - refillTime;
  return isPlausible(fullAt, now) && next > now ? next : undefined;
}

/** Gives a user all attempts of a factor type back. For administrators; a right code calls `succeed`. */
export async function clearFactorAttempts({ data }: Pick<DataContext, "data">, userId: string, type: FactorType): Promise<void> {
  await data.login_attempts.delete({ subject_hash: await subjectOf(userId, type) });
}

/** Returns the state after another attempt; undefined if no attempt is left. */
function withAttempt(
  stored: Stored | undefined,
  now: number,
  form: string | undefined,
): { readonly stored: Stored; readonly isLast: boolean } | undefined {
  const { full_at: fullAt, warned_at: warnedAt, forms: former } = stored ?? { full_at: now, warned_at: null, forms: [] };
  const start = isPlausible(fullAt, now) ? Math.max(fullAt, now) : now;
  const full_at = start + factorAttemptInterval;
  if (full_at > now + refillTime) return undefined;
  const isUsedUp = full_at + factorAttemptInterval > now + refillTime;
  const isLast = isUsedUp && (warnedAt === null || Math.abs(now - warnedAt) >= refillTime);
  const forms = form === undefined ? former : [...former, { id: form, failed: false }].slice(-factorAttempts);
  return { stored: { full_at, warned_at: isLast ? now : warnedAt, forms }, isLast };
}

/**
 * Whether a stored time is not too far in the future. Otherwise it is ignored, so that a clock that was set back does not
 * lock users out for longer. Clocks of several processes differ by less.
 */
function isPlausible(fullAt: number, now: number): boolean {
  return fullAt <= now + 2 * refillTime;
}

async function subjectOf(userId: string, type: FactorType): Promise<string> {
  return sha256(`factor:${type}:${userId}`);
}
