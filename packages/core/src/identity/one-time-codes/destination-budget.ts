import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { DataContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import { comparisonLimit, comparisonWindow } from "../../model/connections/strategies/code-strength.ts";
import { firstRevision } from "../attack-protection/counter.ts";
import type { CodeChannel } from "../login/code-address.ts";

/** Wrong attempts after which a code is invalid. */
export const triesPerCode = 5;

/** How long a comparison counts, in milliseconds. */
const countedFor = comparisonWindow * 1000;

/** Limits of messages to one destination: at most `maximum` within any `window` (milliseconds). */
const messageLimits = [
  { maximum: 10, window: 10 * 60_000 },
  { maximum: 20, window: 3 * 3_600_000 },
] as const;

/** Limit of password reset links to one email address. Each link also counts as a message. */
const resetLinkLimit = { maximum: 5, window: 3_600_000 } as const;

/** The email address or phone number that messages are sent to. */
export interface CodeDestination {
  readonly channel: CodeChannel;
  /** The email address or phone number, case-insensitive. */
  readonly address: string;
  /**
   * The primary user if the request comes from a browser that has signed in to the user's account before. Such browsers
   * have a separate budget, which other users cannot exhaust.
   */
  readonly knownUserId?: string | undefined;
}

/** A message that is about to be sent. */
export interface PlannedMessage {
  /** When the code in the message expires, in milliseconds since 1970. Omit it if the message contains no code. */
  readonly codeExpiresAt?: number;
  /** Whether the message contains a link to set a new password, and no code. Default false. */
  readonly isResetLink?: boolean;
  /**
   * Identifies the form that requested the message. A form that is submitted again before the code expires is counted
   * once.
   */
  readonly form?: string | undefined;
  /** Whether the destination has probably no budget yet, as in a sign-up. Saves a read. Default false. */
  readonly isFirst?: boolean;
}

/** Whether a message may be sent. */
export type Admission =
  /**
   * The message may be sent. `order` sorts messages by age: milliseconds since 1970, always greater than for every
   * former message, even if a clock stood still or is behind.
   */
  | { readonly admitted: true; readonly order: number }
  /** The message may not be sent, and nothing was counted. */
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const Instant = z.int();
const Recent = z.object({
  messages: z.array(Instant).default([]),
  resetLinks: z.array(Instant).default([]),
  /** When they were reserved, the latest time at which they can happen, and their number. */
  comparisons: z.array(z.tuple([Instant, Instant, z.int()])).default([]),
  /** The `order` of the newest message. */
  newest: Instant.default(0),
  /** The `order` of the message that each form requested, and when the code in it expires. */
  forms: z.record(z.string(), z.tuple([Instant, Instant])).default({}),
});

/** The events that count against a budget. Times are milliseconds since 1970. */
type Recent = z.infer<typeof Recent>;

/**
 * Counts a message against the budget of its destination, before it is sent. A message with a code also reserves the
 * comparisons that the code's tries can cost. The guarded write decides: of parallel requests only as many are admitted
 * as the budget has left.
 * @throws {PosternError} `temporarily_unavailable` if parallel requests changed the budget first each time.
 */
export async function admitMessage(context: DataContext, destination: CodeDestination, message: PlannedMessage = {}): Promise<Admission> {
  const { codeExpiresAt, isResetLink = false, form, isFirst = false } = message;
  return changeBudget<Admission>(context, destination, isFirst, (recent, now) => {
    const known = form !== undefined && Object.hasOwn(recent.forms, form) ? recent.forms[form] : undefined;
    if (known !== undefined) return { result: { admitted: true, order: known[0] } };
    const free = Math.max(
      ...messageLimits.map((limit) => freeAt(recent.messages, limit, now)),
      isResetLink ? freeAt(recent.resetLinks, resetLinkLimit, now) : now,
      codeExpiresAt === undefined ? now : comparisonsFreeAt(recent.comparisons, triesPerCode, now),
    );
    if (free > now) return { result: { admitted: false, retryAfterSeconds: Math.ceil((free - now) / 1000) } };
    const order = Math.max(now, recent.newest + 1);
    const next: Recent = {
      messages: [...recent.messages, now],
      resetLinks: isResetLink ? [...recent.resetLinks, now] : recent.resetLinks,
      comparisons: codeExpiresAt === undefined ? recent.comparisons : [...recent.comparisons, [now, codeExpiresAt, triesPerCode]],
      newest: order,
      forms: form === undefined ? recent.forms : { ...recent.forms, [form]: [order, codeExpiresAt ?? now] },
    };
    return { next, result: { admitted: true, order } };
  });
}

/**
 * Takes comparisons from the budget of a destination, before a guess is compared with codes that were requested
 * elsewhere, whose own tries it must not use.
 * @param requested how many codes the guess could be compared with.
 * @returns how many comparisons are allowed: `requested`, the rest of the budget, or 0.
 * @throws {PosternError} `temporarily_unavailable` if parallel requests changed the budget first each time.
 */
export async function takeComparisons(context: DataContext, destination: CodeDestination, requested: number): Promise<number> {
  if (requested === 0) return 0;
  return changeBudget<number>(context, destination, false, (recent, now) => {
    const result = Math.min(requested, comparisonLimit - sumOf(recent.comparisons));
    if (result <= 0) return { result: 0 };
    return { next: { ...recent, comparisons: [...recent.comparisons, [now, now, result]] }, result };
  });
}

/**
 * How often a change of a budget is retried after conflicts. Each conflict means that another request was counted. No
 * budget counts as many events as this number, so its limits end a race first.
 */
const attempts = 150;

/** Changes a budget by compare-and-swap. Without a `next` state nothing is written. */
async function changeBudget<Result>(
  context: DataContext,
  destination: CodeDestination,
  isFirst: boolean,
  decide: (recent: Recent, now: number) => { readonly next?: Recent; readonly result: Result },
): Promise<Result> {
  const { destination_budgets: budgets } = context.data;
  const subject_hash = await subjectOf(destination);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = context.now();
    const [row] = isFirst && attempt === 0 ? [] : await budgets.find({ where: { subject_hash }, limit: 1 });
    const { next, result } = decide(readRecent(row, now), now);
    if (next === undefined) return result;
    const set = { recent: { ...next }, updated_at: now, expires_at: expiryOf(next) };
    if (row === undefined) {
      if (await budgets.insert([{ subject_hash, ...set, revision: firstRevision(context.random) }])) return result;
    } else if ((await budgets.update({ subject_hash, revision: row.revision }, { set, add: { revision: 1 } })) === 1) return result;
  }
  throw new PosternError("temporarily_unavailable", "too many parallel requests for messages to one destination: try again");
}

async function subjectOf({ channel, address, knownUserId }: CodeDestination): Promise<string> {
  return sha256(JSON.stringify([channel, address.toLowerCase(), ...(knownUserId === undefined ? [] : [knownUserId])]));
}

/**
 * Reads a budget without expired events. Times in the future expire as well, so that a clock that was set back does not
 * block a destination for longer.
 */
function readRecent(row: Pick<Row<"destination_budgets">, "recent"> | undefined, now: number): Recent {
  const { messages, resetLinks, comparisons, newest, forms } = Recent.parse(row?.recent ?? {});
  const counts = (at: number): boolean => Math.abs(now - at) < countedFor;
  return {
    messages: messages.filter(counts).toSorted((a, b) => a - b),
    resetLinks: resetLinks.filter(counts).toSorted((a, b) => a - b),
    // The last comparison may happen when the code expires: until three hours after that, the reservation is a part of
    // what happened in three hours.
    comparisons: comparisons.filter(([at, end]) => at - countedFor < now && now < end + countedFor),
    newest,
    // Once a code has expired, its row may be deleted: a form that is submitted again then would create another code,
    // which must count.
    forms: Object.fromEntries(Object.entries(forms).filter(([, [, end]]) => now < end && counts(end))),
  };
}

function sumOf(comparisons: Recent["comparisons"]): number {
  return comparisons.reduce((sum, [, , count]) => sum + count, 0);
}

/** When another event is allowed: `now`, or the time at which enough former events have expired. */
function freeAt(
  events: readonly number[],
  { maximum, window }: { readonly maximum: number; readonly window: number },
  now: number,
): number {
  const recent = events.filter((at) => Math.abs(now - at) < window);
  return (recent[recent.length - maximum] ?? now - window) + window;
}

function comparisonsFreeAt(comparisons: Recent["comparisons"], requested: number, now: number): number {
  let left = sumOf(comparisons);
  let free = now;
  for (const [, end, count] of comparisons.toSorted((a, b) => a[1] - b[1])) {
    if (left + requested <= comparisonLimit) break;
    left -= count;
    free = end + countedFor;
  }
  return free;
}

function expiryOf({ messages, comparisons }: Recent): number {
  return Math.max(...messages, ...comparisons.map(([, end]) => end)) + countedFor;
}
