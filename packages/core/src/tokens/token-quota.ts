import type { DataContext } from "../context.ts";
import { PosternError } from "../errors.ts";
import type { TokenQuota } from "../model/token-quota.ts";

/** How many tokens of one kind of grant a subject may be given. */
export type Quota = TokenQuota["client_credentials"];

/** What is left of one window of a quota. */
export interface Remaining {
  readonly window: "per_hour" | "per_day";
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetAfter: number;
}

const hour = 3_600_000;
const day = 86_400_000;

/** How often a count is tried against parallel requests. The hour begins for one of them, and the others then find it begun. */
const tries = 10;

/**
 * Takes one token out of a quota, by hours and days of UTC. The guarded update decides: of parallel requests as many get through as the quota has left.
 * Inside a window it adds, whatever others add meanwhile; a comparison of revisions (`changeRow`) would make them wait for each other.
 * @param subject whose quota it is, for example `client:<client_id>`.
 * @returns undefined where there was one left; else what the quota's windows have left, and then nothing was taken.
 * @throws {PosternError} `temporarily_unavailable` where parallel requests came first each time.
 */
export async function takeToken(context: DataContext, subject: string, quota: Quota): Promise<readonly Remaining[] | undefined> {
  const { per_hour: perHour = Infinity, per_day: perDay = Infinity } = quota;
  const { token_counts: counts } = context.data;
  for (let attempt = 0; attempt < tries; attempt++) {
    const now = context.now();
    const current = { hour: now - (now % hour), day: now - (now % day) };
    const guard = { subject, ...current, ...below("hour_count", perHour), ...below("day_count", perDay) };
    if ((await counts.update(guard, { add: { hour_count: 1, day_count: 1 } })) === 1) return undefined;

    const [row] = await counts.find({ where: { subject }, limit: 1 });
    if (row === undefined) {
      const first = { subject, ...current, hour_count: 1, day_count: 1, expires_at: current.day + day };
      if (await counts.insert([first])) return undefined;
      continue;
    }
    // A process whose clock is behind counts on in the window that another one began.
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

/** Puts a token back that was taken a moment ago and is not given after all. */
export async function putBackToken(context: DataContext, subject: string): Promise<void> {
  const where = { subject, hour_count: { gt: 0 }, day_count: { gt: 0 } };
  await context.data.token_counts.update(where, { add: { hour_count: -1, day_count: -1 } });
}

/** Without a limit there is nothing to compare with. */
function below<const Field extends "hour_count" | "day_count">(field: Field, limit: number) {
  return limit === Infinity ? {} : { [field]: { lt: limit } };
}

function remaining(window: Remaining["window"], limit: number | undefined, count: number, milliseconds: number): Remaining[] {
  return limit === undefined ? [] : [{ window, limit, remaining: Math.max(0, limit - count), resetAfter: Math.ceil(milliseconds / 1000) }];
}
