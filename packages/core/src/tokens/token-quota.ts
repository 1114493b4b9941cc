import type { DataContext } from "../context.ts";
import { PosternError } from "../errors.ts";
import type { TokenQuota } from "../model/token-quota.ts";
import { findOne } from "../store/find-one.ts";

/** The maximum number of tokens that a subject may receive through one kind of grant. */
export type Quota = TokenQuota["client_credentials"];

/** The remaining tokens in one window of a quota. */
export interface Remaining {
  readonly window: "per_hour" | "per_day";
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetAfter: number;
}

const hour = 3_600_000;
const day = 86_400_000;

/**
 * The maximum number of attempts if parallel requests win the races. When an hour begins, one of the parallel requests
 * starts the new window, and the others find it at their next attempt.
 */
const tries = 10;

/**
 * Counts one token against a quota, per hour and per day in UTC. The conditional update fails if the quota is used up,
 * so parallel requests together never receive more tokens than the quota has left. Within a window, the update
 * increments the count without a comparison of revisions (unlike `changeRow`), so that parallel requests do not delay
 * each other.
 * @param subject the owner of the quota, for example `client:<client_id>`.
 * @returns undefined if a token was counted; otherwise the state of the windows, and nothing was counted.
 * @throws {PosternError} `temporarily_unavailable` if parallel requests won the race at every attempt.
 */
export async function takeToken(context: DataContext, subject: string, quota: Quota): Promise<readonly Remaining[] | undefined> {
  const { per_hour: perHour = Infinity, per_day: perDay = Infinity } = quota;
  const { token_counts: counts } = context.data;
  for (let attempt = 0; attempt < tries; attempt++) {
    const now = context.now();
    const current = { hour: now - (now % hour), day: now - (now % day) };
    const guard = { subject, ...current, ...below("hour_count", perHour), ...below("day_count", perDay) };
    if ((await counts.update(guard, { add: { hour_count: 1, day_count: 1 } })) === 1) return undefined;

    const row = await findOne(counts, { subject });
    if (row === undefined) {
      const first = { subject, ...current, hour_count: 1, day_count: 1, expires_at: current.day + day };
      if (await counts.insert([first])) return undefined;
      continue;
    }
    // A process whose clock is behind continues the window that another process began.
    const begun = { hour: Math.max(row.hour, current.hour), day: Math.max(row.day, current.day) };
    const hourCount = row.hour === begun.hour ? row.hour_count : 0;
    const dayCount = row.day === begun.day ? row.day_count : 0;
    if (hourCount >= perHour || dayCount >= perDay) {
      return [
        ...remaining("per_hour", quota.per_hour, hourCount, begun.hour + hour - now),
        ...remaining("per_day", quota.per_day, dayCount, begun.day + day - now),
      ];
    }
    const seen = { subject, hour: row.hour, hour_count: row.hour_count, day: row.day, day_count: row.day_count };
    const set = { ...begun, hour_count: hourCount + 1, day_count: dayCount + 1, expires_at: begun.day + day };
    if ((await counts.update(seen, { set })) === 1) return undefined;
  }
  throw new PosternError("temporarily_unavailable", "too many parallel requests for tokens: try again");
}

/** Returns a token to the quota if it was counted but not issued. */
export async function putBackToken(context: DataContext, subject: string): Promise<void> {
  const where = { subject, hour_count: { gt: 0 }, day_count: { gt: 0 } };
  await context.data.token_counts.update(where, { add: { hour_count: -1, day_count: -1 } });
}

/** Returns the condition that a count is below a limit; an empty object if there is no limit. */
function below<const Field extends "hour_count" | "day_count">(field: Field, limit: number) {
  return limit === Infinity ? {} : { [field]: { lt: limit } };
}

function remaining(window: Remaining["window"], limit: number | undefined, count: number, milliseconds: number): Remaining[] {
  return limit === undefined ? [] : [{ window, limit, remaining: Math.max(0, limit - count), resetAfter: Math.ceil(milliseconds / 1000) }];
}
