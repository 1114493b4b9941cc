import { PosternError } from "../../errors.ts";
import type { Collection } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";

const hour = 3_600_000;

/** The maximum number of events of one subject in an hour. The first event begins the hour. */
export interface HourlyLimit<Name extends string = string> {
  readonly name: Name;
  /** A hash that identifies the subject. */
  readonly subject: string;
  readonly maximum: number;
  /** The maximum number of different members in the events, for example of phone numbers in messages. */
  readonly members?: {
    readonly name: Name;
    readonly maximum: number;
    /** The hash of the member in this event. */ readonly member: string;
  };
}

/** A limit that allows no further event now. */
export interface ExceededLimit<Name extends string = string> {
  readonly name: Name;
  readonly subject: string;
  readonly maximum: number;
  /** When the hour ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

type Count = Row<"message_counts">;
type Counts = Collection<Count>;

/** Returns the counts of limits, by subject. Sends one query. A subject without events has no count. */
export async function findCounts(counts: Counts, limits: readonly HourlyLimit[]): Promise<ReadonlyMap<string, Count>> {
  const subjects = limits.map(({ subject }) => subject);
  const rows = await counts.find({ where: { subject_hash: { in: subjects } }, limit: subjects.length });
  return new Map(rows.map((row) => [row.subject_hash, row]));
}

/** Returns the part of a limit that allows no further event now. */
export function exceededLimit<Name extends string>(
  { name, subject, maximum, members }: HourlyLimit<Name>,
  count: Count | undefined,
  now: number,
): ExceededLimit<Name> | undefined {
  const current = count !== undefined && isCurrentHour(count, now) ? count : undefined;
  const endsAt = current?.expires_at ?? now + hour;
  const counted = current?.members ?? [];
  if (members !== undefined && !counted.includes(members.member) && counted.length >= members.maximum)
    return { name: members.name, subject, maximum: members.maximum, endsAt };
  return (current?.events ?? 0) >= maximum ? { name, subject, maximum, endsAt } : undefined;
}

/**
 * How often an event is counted again after a lost race. Each lost race means that another event was counted, so a race
 * usually ends earlier because the limit is exceeded.
 */
const attempts = 100;

/**
 * Counts an event. The conditional write decides, so parallel requests cannot exceed the limit together, in one process
 * or in several.
 * @param known the count as it was read before, if there was one.
 * @returns undefined if the event was counted; otherwise the limit that is exceeded, and nothing was counted.
 * @throws {PosternError} `temporarily_unavailable` if parallel requests won the race at every attempt.
 */
export async function countEvent<Name extends string>(
  { counts, now }: { readonly counts: Counts; now(): number },
  limit: HourlyLimit<Name>,
  known: Count | undefined,
): Promise<ExceededLimit<Name> | undefined> {
  let count = known;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const at = now();
    const exceeded = exceededLimit(limit, count, at);
    if (exceeded !== undefined) return exceeded;
    if (await writeEvent(counts, limit, count, at)) return undefined;
    [count] = await counts.find({ where: { subject_hash: limit.subject }, limit: 1 });
  }
  throw new PosternError("temporarily_unavailable", "too many parallel requests for messages: try again");
}

/** Adds an event to a count. @returns `false` if another request changed the count, or the event would exceed the limit. */
async function writeEvent(
  counts: Counts,
  { subject: subject_hash, maximum, members }: HourlyLimit,
  known: Count | undefined,
  now: number,
): Promise<boolean> {
  const first = { events: 1, members: members === undefined ? [] : [members.member], expires_at: now + hour };
  if (known === undefined) return counts.insert([{ subject_hash, ...first }]);
  const { events, expires_at } = known;
  if (!isCurrentHour(known, now)) return (await counts.update({ subject_hash, events, expires_at }, { set: first })) === 1;
  if (members === undefined || known.members.includes(members.member)) {
    const below = { subject_hash, expires_at, events: { lt: maximum } };
    return (await counts.update(below, { add: { events: 1 } })) === 1;
  }
  // Every event increases the number of events. If it is unchanged, the list of members is unchanged too.
  const set = { members: [...known.members, members.member] };
  return (await counts.update({ subject_hash, expires_at, events }, { set, add: { events: 1 } })) === 1;
}

/**
 * Whether the hour of a count has not ended. An hour that ends much later was begun before the clock was set back, and
 * does not count. The clocks of two processes differ less.
 */
function isCurrentHour({ expires_at: endsAt }: Count, now: number): boolean {
  return endsAt > now && endsAt <= now + 2 * hour;
}
