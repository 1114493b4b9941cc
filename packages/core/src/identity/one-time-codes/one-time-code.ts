import type { DataContext } from "../../context.ts";
import { networkOf } from "../../adapters/addresses.ts";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import { defaultCodeLength, defaultCodeLifetime } from "../../model/connections/strategies/code-strength.ts";
import type { CodeChannel } from "../login/code-address.ts";
import { admitMessage, takeComparisons, triesPerCode, type CodeDestination } from "./destination-budget.ts";

export type OneTimeCode = Row<"one_time_codes">;

/** The purpose of a code. A code is valid for one purpose only. */
export type CodePurpose = "login" | "sign-up" | "reset-password" | "link-account";

/** The owner of a code, and where it is valid. */
export interface CodePlace {
  readonly purpose: CodePurpose;
  readonly connectionId: string;
  readonly channel: CodeChannel;
  /** The address or phone number that the code is sent to, folded as the connection stores it for its accounts. */
  readonly identifier: string;
  readonly clientId: string;
  /**
   * The login session that requested the code: the code is valid in it only, and a newer code of the session replaces
   * it. Omit it for a code that `/passwordless/start` requested.
   */
  readonly loginId?: string | undefined;
  /**
   * The client address of the request; undefined if the host did not provide it. A code without a login session has
   * separate tries for this address.
   */
  readonly ip: string | undefined;
}

/** A code that is to be sent. */
export interface NewCode extends CodePlace {
  /** The account of the code, if there is one. */
  readonly userId?: string | undefined;
  /** The primary user, if the request comes from a browser that has signed in to the user's account before. */
  readonly knownUserId?: string | undefined;
  /** Data for the request that redeems the code. */
  readonly request?: JsonObject;
  /** Digits. Default 6. */
  readonly length?: number | undefined;
  /** Seconds until the code expires. Default 600, because mail may be slow. */
  readonly lifetime?: number | undefined;
  /** No account has the address: stores a row like any other, with an unknown code. */
  readonly pretend?: boolean;
  /** Identifies the form that requests the code, if one does: however often it is submitted, one code is created. */
  readonly form?: string | undefined;
}

/** A code as it is sent. Neither text is stored. */
export interface CreatedCode {
  readonly code: string;
  /**
   * Unguessable text for a link with the code: a guess with it uses the code's own tries from any address, because only
   * a reader of the message has it.
   */
  readonly linkKey: string;
}

/** A code that was typed. */
export interface CodeGuess extends CodePlace {
  /** As it was typed; whitespace does not count. */
  readonly typed: string;
  /** The `linkKey` of the link that was opened. Omit it if there was none. */
  readonly linkKey?: string | undefined;
  /**
   * Whether the rate limit of the destination is exceeded. Then the guess is compared only with codes of the same login
   * session or client address. Default false.
   */
  readonly limited?: boolean;
  /**
   * Finds the primary user if the guess comes from a browser that has signed in to the user's account before. Called
   * only if the guess would use the shared budget of the destination.
   */
  findKnownUserId?(): Promise<string | undefined>;
}

/**
 * The maximum number of codes that are read for one destination. Fewer can be valid at the same time, because each
 * reserves a share of one of two budgets.
 */
const maximumCodes = 50;

/**
 * Creates a code, after it was counted against the budget of its destination. A code of a login session replaces the
 * former ones of the session. Codes without a login session stay valid beside each other: messages arrive late and in
 * any order.
 * @returns undefined if the same form requested a code before.
 * @throws {PosternError} `TOO_MANY_REQUESTS` with `Retry-After` if the budget of the destination is used up.
 */
export async function createCode(context: DataContext, input: NewCode): Promise<CreatedCode | undefined> {
  const { data } = context;
  const form = input.form === undefined ? undefined : await context.secrets.fingerprints.of("form of a code", data.tenantId, input.form);
  const codeExpiresAt = context.now() + (input.lifetime ?? defaultCodeLifetime) * 1000;
  const admission = await admitMessage(context, destinationOf(input, input.knownUserId), { codeExpiresAt, form });
  if (!admission.admitted) throw tooManyCodes(admission.retryAfterSeconds);

  // The insert decides which of the same form's requests is the first. It also runs if the form is known: the process
  // may have crashed between the two writes.
  const id = form === undefined ? context.random.record("otc_") : `otc_${form}`;
  const code = context.random.digits(input.length ?? defaultCodeLength);
  const inserted = await data.one_time_codes.insert([
    {
      id,
      purpose: input.purpose,
      identifier_hash: await identifierHashOf(input),
      code_hash: await codeHash(context, id, input.pretend === true ? context.random.token(16) : code),
      client_id: input.clientId,
      login_id: input.loginId ?? null,
      address_hash: input.loginId === undefined ? await addressHashOf(context, input.ip) : null,
      user_id: input.userId ?? null,
      attempts: 0,
      request: input.request ?? {},
      created_at: admission.order,
      expires_at: codeExpiresAt,
      consumed_at: null,
    },
  ]);
  return inserted ? { code, linkKey: await linkKeyOf(context, id) } : undefined;
}

/**
 * Finds the code that was typed, if it is valid here. Each comparison is counted before it is made, so that parallel
 * guesses are limited like sequential ones:
 *
 * - In a login session, the guess is compared with the session's newest code and uses one of its five tries.
 * - Without a login session, the guess uses one try of each code that was requested from the same client address or
 * whose link was opened. Comparisons with other codes of the destination use the budget of the destination. Guesses
 * from other addresses therefore never use up the tries of a code, and stop when the budget is used up.
 * @returns undefined if no code matches. The code is not used yet: see {@link useCode}.
 */
export async function findCode(context: DataContext, guess: CodeGuess): Promise<OneTimeCode | undefined> {
  const { data } = context;
  const { purpose, clientId: client_id, loginId } = guess;
  const where = { purpose, identifier_hash: await identifierHashOf(guess), client_id };
  const orderBy = { fields: ["created_at", "id"], direction: "desc" } as const;
  const now = context.now();
  if (loginId !== undefined) {
    const [newest] = await data.one_time_codes.find({ where: { ...where, login_id: loginId }, orderBy, limit: 1 });
    return newest !== undefined && (await matchesOwnCode(context, newest, guess)) ? newest : undefined;
  }
  const validCodes = await data.one_time_codes.find({
    where: { ...where, login_id: null, consumed_at: null, expires_at: { gt: now }, attempts: { lt: triesPerCode } },
    orderBy,
    limit: maximumCodes,
  });
  const addressHash = await addressHashOf(context, guess.ip);
  const { linkKey } = guess;
  const opened =
    linkKey === undefined
      ? undefined
      : await findFirst(validCodes, async (row) => equalInConstantTime(await linkKeyOf(context, row.id), linkKey));
  const isOwn = (row: OneTimeCode): boolean => row === opened || row.address_hash === addressHash;
  // Without a client address, the owner cannot be distinguished from other users, so the rate limit applies to all of
  // them.
  const own = validCodes.filter((row) => isOwn(row) && !(guess.limited === true && row !== opened && addressHash === null));
  const found = await findFirst(own, (row) => matchesOwnCode(context, row, guess));
  if (found !== undefined) return found;

  const others = validCodes.filter((row) => !isOwn(row));
  if (others.length === 0) return undefined;
  const knownUserId = await guess.findKnownUserId?.();
  if (guess.limited === true && knownUserId === undefined) return undefined;
  const allowed = await takeComparisons(context, destinationOf(guess, knownUserId), others.length);
  return findFirst(others.slice(0, allowed), (row) => matches(context, row, guess));
}

/** Uses a code. The guarded write decides: of parallel requests, one gets `true`. */
export async function useCode(context: DataContext, { id }: OneTimeCode): Promise<boolean> {
  const now = context.now();
  const guard = { id, consumed_at: null, expires_at: { gt: now } };
  return (await context.data.one_time_codes.update(guard, { set: { consumed_at: now } })) === 1;
}

/**
 * Creates the error for a message that is not sent because the budget of its destination is used up. @param seconds
 * until another message may be sent.
 */
export function tooManyCodes(seconds: number): PosternError {
  const headers = { "retry-after": String(seconds) };
  return new PosternError("TOO_MANY_REQUESTS", "Too many codes were requested. Use the last one, or try again later.", { headers });
}

/** Counts a try of a code, then compares. The guarded write decides whether the code has a try left. */
async function matchesOwnCode(context: DataContext, row: OneTimeCode, guess: CodeGuess): Promise<boolean> {
  const guard = { id: row.id, attempts: { lt: triesPerCode }, consumed_at: null, expires_at: { gt: context.now() } };
  if ((await context.data.one_time_codes.update(guard, { add: { attempts: 1 } })) !== 1) return false;
  return matches(context, row, guess);
}

async function matches(context: DataContext, row: OneTimeCode, { typed }: CodeGuess): Promise<boolean> {
  const hash = await codeHash(context, row.id, typed.replaceAll(/\s/g, ""));
  return equalInConstantTime(hash, row.code_hash);
}

/** Tests all codes, so that the response time does not reveal which one matches. */
async function findFirst(rows: readonly OneTimeCode[], test: (row: OneTimeCode) => Promise<boolean>): Promise<OneTimeCode | undefined> {
  const tested = await Promise.all(rows.map(test));
  return rows.find((_, index) => tested[index] === true);
}

function destinationOf({ channel, identifier }: CodePlace, knownUserId: string | undefined): CodeDestination {
  return { channel, address: identifier, knownUserId };
}

async function identifierHashOf({ connectionId, identifier }: CodePlace): Promise<string> {
  return sha256(JSON.stringify([connectionId, identifier]));
}

/**
 * Keyed with the host's secret, because a reader of the database could otherwise test all addresses. Only the first 64
 * bits of an IPv6 address count.
 */
async function addressHashOf(context: DataContext, ip: string | undefined): Promise<string | null> {
  return ip === undefined ? null : context.secrets.fingerprints.of("address of a code", context.data.tenantId, networkOf(ip));
}

async function linkKeyOf(context: DataContext, id: string): Promise<string> {
  return context.secrets.fingerprints.of("link of a code", context.data.tenantId, id);
}

/** Keyed with the host's secret, because a reader of the database could otherwise test all codes. */
async function codeHash(context: DataContext, id: string, code: string): Promise<string> {
  return context.secrets.fingerprints.of("one-time code", context.data.tenantId, id, code);
}
