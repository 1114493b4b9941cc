import type { DataContext } from "../../context.ts";
import { networkOf } from "../../adapters/addresses.ts";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import { defaultCodeLength, defaultCodeLifetime } from "../../model/connections/strategies/code-strength.ts";
import type { CodeChannel } from "../login/code-address.ts";
import { admitMessage, takeComparisons, triesPerCode, type CodeDestination } from "./destination-budget.ts";
import { foldDigits } from "../../model/typed-digits.ts";

export type OneTimeCode = Row<"one_time_codes">;

/** The purpose of a code. A code is valid for one purpose only. */
type CodePurpose = "login" | "sign-up" | "reset-password" | "link-account" | "factor" | "add-factor" | "change-address";

/** Where a code is valid: its purpose, destination, client and login session. */
export interface CodePlace {
  readonly purpose: CodePurpose;
  readonly connectionId: string;
  readonly channel: CodeChannel;
  /** The email address or phone number that the code is sent to, normalized as in the accounts of the connection. */
  readonly identifier: string;
  readonly clientId: string;
  /**
   * The login session that requested the code. The code is valid only in this session, and a newer code for the session
   * replaces it. Omit it for a code that was requested at `/passwordless/start`.
   */
  readonly loginId?: string | undefined;
  /**
   * The client's IP address; undefined if the host did not provide it. For a code without a login session, only guesses
   * from this IP address use the code's own tries.
   */
  readonly ip: string | undefined;
}

/** A code that is to be sent. */
interface NewCode extends CodePlace {
  /** The id of the account that the code signs in to, if there is one. */
  readonly userId?: string | undefined;
  /**
   * The id of the primary user, if the request comes from a browser that has signed in to the user's account before.
   */
  readonly knownUserId?: string | undefined;
  /** Data for the request that redeems the code. */
  readonly request?: JsonObject;
  /** The number of digits. Default 6. */
  readonly length?: number | undefined;
  /** Seconds until the code expires. Default 600, because email may arrive late. */
  readonly lifetime?: number | undefined;
  /**
   * Stores a row whose code nobody knows. For an email address or phone number that no account has, so that the
   * response takes the same time.
   */
  readonly pretend?: boolean;
  /**
   * Identifies the form that requests the code, if the request comes from a form. Repeated submissions of the form
   * create one code.
   */
  readonly form?: string | undefined;
}

/** A new code with the key for its link. Both are sent in the message, and neither is stored in plain text. */
export interface CreatedCode {
  readonly id: string;
  readonly code: string;
  /**
   * Unguessable text in the link to the code. A guess that contains it uses the code's own tries, whatever IP address
   * it comes from, because only a reader of the message has the key.
   */
  readonly linkKey: string;
}

/** A code that was typed. */
export interface CodeGuess extends CodePlace {
  /** The code as typed. It is compared as `foldDigits` returns it. */
  readonly typed: string;
  /** The `linkKey` from the link that the user opened. Omit it if the user opened no link. */
  readonly linkKey?: string | undefined;
  /**
   * Returns the id of the primary user, if the guess comes from a browser that has signed in to the user's account
   * before. Called only if the guess would otherwise use the shared budget of the destination.
   */
  findKnownUserId?(): Promise<string | undefined>;
}

/**
 * The maximum number of codes that are read for one destination. The number of valid codes is always lower, because
 * each code reserves a part of a limited budget.
 */
const maximumCodes = 50;

/**
 * Counts a code against the budget of its destination and creates it. A code for a login session replaces the older
 * codes for that session. Codes without a login session are valid at the same time, because messages may arrive late
 * and in any order.
 * @returns the code; undefined if the same form requested a code before.
 * @throws {PosternError} `TOO_MANY_REQUESTS` with `Retry-After` if the budget of the destination is used up.
 */
export async function createCode(context: DataContext, input: NewCode): Promise<CreatedCode | undefined> {
  const { data } = context;
  const form = input.form === undefined ? undefined : await fingerprintOfForm(context, input.form);
  const codeExpiresAt = context.now() + (input.lifetime ?? defaultCodeLifetime) * 1000;
  const admission = await admitMessage(context, destinationOf(input, input.knownUserId), { codeExpiresAt, form });
  if (!admission.admitted) throw tooManyCodes(admission.retryAfterSeconds);

  // The id is derived from the form, so only the first insert for the form succeeds. The insert also runs if the form
  // was counted before, because the process may have crashed between the two writes.
  const id = form === undefined ? context.random.record("otc_") : idOfForm(form);
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
      used_form: null,
    },
  ]);
  return inserted ? { id, code, linkKey: await linkKeyOf(context, id) } : undefined;
}

/** Returns the id of the code that a form requests, also if it requested the code before. */
export async function codeIdOfForm(context: DataContext, form: string): Promise<string> {
  return idOfForm(await fingerprintOfForm(context, form));
}

function fingerprintOfForm(context: DataContext, form: string): Promise<string> {
  return context.secrets.fingerprints.of("form of a code", context.data.tenantId, form);
}

function idOfForm(fingerprint: string): string {
  return `otc_${fingerprint}`;
}

/** Deletes a code that was not sent. An older code of the same login session is valid again. */
export async function deleteUnsentCode({ data }: DataContext, { id }: Pick<CreatedCode, "id">): Promise<void> {
  await data.one_time_codes.delete({ id });
}

const newestFirst = { fields: ["created_at", "id"], direction: "desc" } as const;

/**
 * Finds the code that a guess matches, among the codes that are valid for its purpose, client, connection and login
 * session. Each comparison is counted before it is made, so that parallel guesses are limited like sequential ones:
 *
 * - In a login session, the guess is compared with the session's newest code and uses one of its five tries.
 * - Without a login session, the guess uses one try of each code that was requested from the same IP address or whose
 * link was opened. Comparisons with other codes for the destination use the budget of the destination. Guesses from
 * other IP addresses therefore never use up the tries of a code, and are no longer compared when the budget is used up.
 * @returns the code, which is not marked as used yet (see {@link useCode}); undefined if no code matches.
 */
export async function findCode(context: DataContext, guess: CodeGuess): Promise<OneTimeCode | undefined> {
  const { data } = context;
  const { purpose, clientId: client_id, loginId } = guess;
  if (loginId !== undefined) {
    const newest = await newestOf(context, guess);
    return newest !== undefined && (await matchesOwnCode(context, newest, guess)) ? newest : undefined;
  }
  const where = { purpose, identifier_hash: await identifierHashOf(guess), client_id, login_id: null };
  const validCodes = await data.one_time_codes.find({
    where: { ...where, consumed_at: null, expires_at: { gt: context.now() }, attempts: { lt: triesPerCode } },
    orderBy: newestFirst,
    limit: maximumCodes,
  });
  const addressHash = await addressHashOf(context, guess.ip);
  const { linkKey } = guess;
  const opened =
    linkKey === undefined
      ? undefined
      : await findFirst(validCodes, async (row) => equalInConstantTime(await linkKeyOf(context, row.id), linkKey));
  const isOwn = (row: OneTimeCode): boolean => row === opened || row.address_hash === addressHash;
  const found = await findFirst(validCodes.filter(isOwn), (row) => matchesOwnCode(context, row, guess));
  if (found !== undefined) return found;

  const others = validCodes.filter((row) => !isOwn(row));
  if (others.length === 0) return undefined;
  const knownUserId = await guess.findKnownUserId?.();
  const allowed = await takeComparisons(context, destinationOf(guess, knownUserId), others.length);
  return findFirst(others.slice(0, allowed), (row) => matches(context, row, guess));
}

/** How long a form that used a code can be submitted again, in milliseconds. */
const repeatable = 10 * 60_000;

/**
 * Returns the code that a form has used, if the form is submitted again: the user clicked twice, or the response was lost.
 * Uses no try, because the code is not compared.
 */
async function findCodeOfForm(context: DataContext, guess: CodeGuess, form: string | undefined): Promise<OneTimeCode | undefined> {
  const newest = form === undefined ? undefined : await newestOf(context, guess);
  const isSame = newest?.used_form === form && (newest?.consumed_at ?? 0) > context.now() - repeatable;
  return isSame ? newest : undefined;
}

/** Returns the newest code that was sent for a purpose in a login session. */
async function newestOf({ data }: DataContext, guess: CodeGuess): Promise<OneTimeCode | undefined> {
  const { purpose, clientId: client_id, loginId: login_id } = guess;
  if (login_id === undefined) return undefined;
  const where = { purpose, identifier_hash: await identifierHashOf(guess), client_id, login_id };
  const [newest] = await data.one_time_codes.find({ where, orderBy: newestFirst, limit: 1 });
  return newest;
}

/**
 * Marks a code that {@link findCode} returned as used. It may have expired since then: the caller may have acted on it.
 * @param form identifies the submitted form and its values, for {@link findCodeOfForm}. Undefined if no form was submitted.
 * @returns `true` if this call marked it: of parallel calls, only one does.
 */
export async function useCode(context: DataContext, { id }: OneTimeCode, form?: string): Promise<boolean> {
  const set = { consumed_at: context.now(), used_form: form ?? null };
  return (await context.data.one_time_codes.update({ id, consumed_at: null }, { set })) === 1;
}

/** A code that a guess used. `isRepeated`: another submission of the form has used it before. */
interface TakenCode {
  readonly code: OneTimeCode;
  readonly isRepeated: boolean;
}

/**
 * Uses a code that {@link findCode} returned for a guess.
 * @param form identifies the submitted form and its values. Undefined if no form was submitted.
 * @returns undefined if the guess is wrong, or if the code was used other than by this form.
 */
export async function takeCode(
  context: DataContext,
  found: OneTimeCode | undefined,
  guess: CodeGuess,
  form: string | undefined,
): Promise<TakenCode | undefined> {
  if (found !== undefined && (await useCode(context, found, form))) return { code: found, isRepeated: false };
  const former = await findCodeOfForm(context, guess, form);
  return former && { code: former, isRepeated: true };
}

/**
 * Creates the error for a message that is not sent because the budget of its destination is used up.
 * @param seconds the time until another message may be sent.
 */
export function tooManyCodes(seconds: number): PosternError {
  const headers = { "retry-after": String(seconds) };
  return new PosternError("TOO_MANY_REQUESTS", "Too many codes were requested. Use the last one, or try again later.", { headers });
}

/**
 * Uses one try of a code and compares the guess with it. Returns `false` without a comparison if the code has no try
 * left.
 */
async function matchesOwnCode(context: DataContext, row: OneTimeCode, guess: CodeGuess): Promise<boolean> {
  const guard = { id: row.id, attempts: { lt: triesPerCode }, consumed_at: null, expires_at: { gt: context.now() } };
  if ((await context.data.one_time_codes.update(guard, { add: { attempts: 1 } })) !== 1) return false;
  return matches(context, row, guess);
}

async function matches(context: DataContext, row: OneTimeCode, { typed }: CodeGuess): Promise<boolean> {
  const hash = await codeHash(context, row.id, foldDigits(typed));
  return equalInConstantTime(hash, row.code_hash);
}

/**
 * Returns the first row that passes the test. Tests all rows, so that the response time does not reveal which one
 * matches.
 */
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
 * Returns a hash of an IP address. The hash is keyed with the host's secret, because a reader of the database could
 * otherwise find the IP address by trying all of them. Only the first 64 bits of an IPv6 address are hashed.
 */
async function addressHashOf(context: DataContext, ip: string | undefined): Promise<string | null> {
  return ip === undefined ? null : context.secrets.fingerprints.of("address of a code", context.data.tenantId, networkOf(ip));
}

async function linkKeyOf(context: DataContext, id: string): Promise<string> {
  return context.secrets.fingerprints.of("link of a code", context.data.tenantId, id);
}

/**
 * Returns the hash of a code. It is keyed with the host's secret, because a reader of the database could otherwise find
 * the code by trying all codes.
 */
async function codeHash(context: DataContext, id: string, code: string): Promise<string> {
  return context.secrets.fingerprints.of("one-time code", context.data.tenantId, id, code);
}
