import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { DataContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import { comparisonLimit, comparisonWindow } from "../../model/connections/strategies/code-strength.ts";
import { firstRevision } from "../attack-protection/counter.ts";
import type { CodeChannel } from "../login/code-address.ts";

/** The number of wrong guesses after which a code is invalid. */
export const triesPerCode = 5;

/** How long a comparison of a guess with a code counts against the budget, in milliseconds. */
const countedFor = comparisonWindow * 1000;

/** Limits on messages to one destination: at most `maximum` within any period of `window` milliseconds. */
const messageLimits = [
  { maximum: 10, window: 10 * 60_000 },
  { maximum: 20, window: 3 * 3_600_000 },
] as const;

/** Limit on password reset links to one email address. Each link also counts as a message. */
const resetLinkLimit = { maximum: 5, window: 3_600_000 } as const;

/** The email address or phone number that messages are sent to. */
export interface CodeDestination {
  readonly channel: CodeChannel;
  /** The email address or phone number, case-insensitive. */
  readonly address: string;
  /**
   * The id of the primary user, if the request comes from a browser that has signed in to the user's account before.
   * Such browsers have a separate budget, which other users cannot exhaust.
   */
  readonly knownUserId?: string | undefined;
}

/** A message that is about to be sent. */
export interface PlannedMessage {
  /** When the code in the message expires, in milliseconds since 1970. Omit it if the message contains no code. */
  readonly codeExpiresAt?: number;
  /** Whether the message contains a password reset link and no code. Default false. */
  readonly isResetLink?: boolean;
  /**
   * Identifies the form that requested the message. If the form is submitted again before the code expires, the message
   * is counted only once.
   */
  readonly form?: string | undefined;
  /** Whether the destination probably has no stored budget yet, as in a sign-up. `true` saves a read. Default false. */
  readonly isFirst?: boolean;
}

/** Whether a message may be sent. */
type Admission =
  /**
   * The message may be sent. `order` sorts messages by age. It is in milliseconds since 1970, and always greater than
   * the `order` of every earlier message, even if a clock stands still or is behind.
   */
  | { readonly admitted: true; readonly order: number }
  /** The message may not be sent, and nothing was counted. */
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const instantSchema = z.int();
const recentSchema = z.object({
  messages: z.array(instantSchema).default([]),
  resetLinks: z.array(instantSchema).default([]),
  /** Reserved comparisons: when they were reserved, the latest time at which they can happen, and their number. */
  comparisons: z.array(z.tuple([instantSchema, instantSchema, z.int()])).default([]),
  /** The `order` of the newest message. */
  newest: instantSchema.default(0),
  /** The `order` of the message that each form requested, and when the code in it expires. */
  forms: z.record(z.string(), z.tuple([instantSchema, instantSchema])).default({}),
});

/** The events that count against a budget. Times are milliseconds since 1970. */
type Recent = z.infer<typeof recentSchema>;

/**
 * Counts a message against the budget of its destination, before it is sent. A message with a code also reserves one
 * comparison for each guess that the code allows. The budget is changed by a conditional write, so parallel requests
 * cannot exceed it.
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
 * Takes comparisons from the budget of a destination. Call this function before a guess is compared with codes that
 * were requested from another IP address, because the guess must not use the tries of those codes.
 * @param requested the number of codes that the guess could be compared with.
 * @returns the number of comparisons that are allowed: `requested`, or less if the budget has less left.
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
 * How often a change of a budget is tried. Each conflict means that another request was counted. A budget allows fewer
 * events than this number, so a race ends earlier because the budget is used up.
 */
const attempts = 150;

/** Changes a budget by compare-and-swap. Writes nothing if `decide` returns no `next` state. */
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
    const row = isFirst && attempt === 0 ? undefined : await findOne(budgets, { subject_hash });
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
 * Parses a budget and drops expired events. Times that are too far in the future are dropped as well, so that a clock
 * that was set back does not block a destination for longer.
 */
function readRecent(row: Pick<Row<"destination_budgets">, "recent"> | undefined, now: number): Recent {
  const { messages, resetLinks, comparisons, newest, forms } = recentSchema.parse(row?.recent ?? {});
  const counts = (at: number): boolean => Math.abs(now - at) < countedFor;
  return {
    messages: messages.filter(counts).toSorted((a, b) => a - b),
    resetLinks: resetLinks.filter(counts).toSorted((a, b) => a - b),
    // The last comparison may happen when the code expires. The reservation therefore counts for three hours after
    // that.
    comparisons: comparisons.filter(([at, end]) => at - countedFor < now && now < end + countedFor),
    newest,
    // After a code has expired, its row may be deleted. If the form is submitted again after that, it creates another
    // code, which must be counted.
    forms: Object.fromEntries(Object.entries(forms).filter(([, [, end]]) => now < end && counts(end))),
  };
}

function sumOf(comparisons: Recent["comparisons"]): number {
  return comparisons.reduce((sum, [, , count]) => sum + count, 0);
}

/**
 * Returns the time from which another event is allowed: `now`, or the time at which enough earlier events have expired.
 */
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
