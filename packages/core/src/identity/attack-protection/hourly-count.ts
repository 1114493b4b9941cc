import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { findOne } from "../../store/find-one.ts";
import type { Collection } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";

const minute = 60_000;
const hour = 60 * minute;

/** The maximum number of events of one subject within any hour. */
export interface HourlyLimit<Name extends string = string> {
  readonly name: Name;
  /** A hash that identifies the subject. */
  readonly subject: string;
  readonly maximum: number;
  /** The maximum number of different members in the events of any hour, for example of phone numbers in messages. */
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
  /** When the limit allows an event again, in milliseconds since 1970. */
  readonly endsAt: number;
}

type Count = Row<"message_counts">;
type Counts = Collection<Count>;

const recentSchema = z.object({
  /** The number of events in each minute. A minute is named by its number since 1970. */
  events: z.record(z.string(), z.int()),
  /** The minute of the last event with each member. */
  members: z.record(z.string(), z.int()),
});

/**
 * The events that count against a limit, by minute. So the size of a row does not depend on the maximum. All events of a
 * minute count until an hour after its end.
 */
type Recent = z.infer<typeof recentSchema>;

/** Returns the counts of limits, by subject. Sends one query. A subject without events has no count. */
export async function findCounts(counts: Counts, limits: readonly HourlyLimit[]): Promise<ReadonlyMap<string, Count>> {
  const subjects = limits.map(({ subject }) => subject);
  const rows = await counts.find({ where: { subject_hash: { in: subjects } }, limit: subjects.length });
  return new Map(rows.map((row) => [row.subject_hash, row]));
}

/** Returns the part of a limit that allows no further event now. */
export function exceededLimit<Name extends string>(
  limit: HourlyLimit<Name>,
  count: Count | undefined,
  now: number,
): ExceededLimit<Name> | undefined {
  return exceededBy(limit, readRecent(count, now), now);
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
    const recent = readRecent(count, at);
    const exceeded = exceededBy(limit, recent, at);
    if (exceeded !== undefined) return exceeded;
    if (await write(counts, limit.subject, count, withEvent(recent, limit.members?.member, at), at)) return undefined;
    count = await findOne(counts, { subject_hash: limit.subject });
  }
  throw new PosternError("temporarily_unavailable", "too many parallel requests for messages: try again");
}

/** Writes the events of a subject. @returns `false` if another request changed them since they were read. */
async function write(counts: Counts, subject_hash: string, known: Count | undefined, recent: Recent, now: number): Promise<boolean> {
  const set = { recent: { ...recent }, expires_at: freeAt(minuteOf(now)) };
  if (known === undefined) return counts.insert([{ subject_hash, revision: 1, ...set }]);
  return (await counts.update({ subject_hash, revision: known.revision }, { set, add: { revision: 1 } })) === 1;
}

const minuteOf = (at: number): number => Math.floor(at / minute);

/** Returns when the events of a minute stop to count: an hour after its end. In milliseconds since 1970. */
const freeAt = (counted: number): number => (counted + 1) * minute + hour;

/**
 * Parses a count and drops events that do not count any more. Events more than an hour in the future are dropped as well:
 * they were counted before the clock was set back. The clocks of two processes differ less.
 */
function readRecent(count: Pick<Count, "recent"> | undefined, now: number): Recent {
  const { events, members } = recentSchema.parse(count?.recent ?? { events: {}, members: {} });
  const counts = (at: number): boolean => freeAt(at) > now && at * minute <= now + hour;
  return {
    events: Object.fromEntries(Object.entries(events).filter(([at]) => counts(Number(at)))),
    members: Object.fromEntries(Object.entries(members).filter(([, at]) => counts(at))),
  };
}

function withEvent({ events, members }: Recent, member: string | undefined, now: number): Recent {
  const at = minuteOf(now);
  return {
    events: { ...events, [at]: (events[at] ?? 0) + 1 },
    members: member === undefined ? members : { ...members, [member]: at },
  };
}

function exceededBy<Name extends string>(
  { name, subject, maximum, members: limited }: HourlyLimit<Name>,
  { events, members }: Recent,
  now: number,
): ExceededLimit<Name> | undefined {
  if (limited !== undefined && !Object.hasOwn(members, limited.member)) {
    const endsAt = belowAt(
      Object.values(members).map((at) => [at, 1]),
      limited.maximum,
      now,
    );
    if (endsAt !== undefined) return { name: limited.name, subject, maximum: limited.maximum, endsAt };
  }
  const endsAt = belowAt(
    Object.entries(events).map(([at, number]) => [Number(at), number]),
    maximum,
    now,
  );
  return endsAt === undefined ? undefined : { name, subject, maximum, endsAt };
}

/**
 * Returns when fewer events than the maximum count, in milliseconds since 1970. Undefined if that is so now. A maximum of 0
 * never allows an event; the time is then an hour ahead.
 */
function belowAt(counted: readonly (readonly [at: number, number: number])[], maximum: number, now: number): number | undefined {
  let total = counted.reduce((sum, [, number]) => sum + number, 0);
  if (total < maximum) return undefined;
  for (const [at, number] of counted.toSorted(([a], [b]) => a - b)) {
    total -= number;
    if (total < maximum) return freeAt(at);
  }
  return now + hour;
}
