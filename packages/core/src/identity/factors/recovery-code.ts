import { base64url } from "jose";
import { sha256 } from "../../adapters/digest.ts";
import { randomCharacters } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { isPosternError } from "../../errors.ts";
import { lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { foldDigits } from "../../model/typed-digits.ts";
import { confirmFactor, storeFactor, enrollmentLifetime, type Factor, type FactorActor } from "./factors.ts";

/**
 * A recovery code has 24 of 36 characters: 124 bits. From 112 bits, a hash without a key or salt protects it (NIST SP
 * 800-63B section 5.1.2.2).
 */
const codeLength = 24;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** How often the creation of a code is tried. Each failure means that a parallel request created a code. */
const attempts = 3;

/**
 * How long after its use a recovery code can be repeated where it was used, in milliseconds: the response was lost. In a
 * place that is not repeatable, not at once, so that of parallel requests only one is accepted.
 */
const repeatable = { from: 10_000, to: 10 * 60_000 } as const;

type UserId = Pick<Row<"users">, "user_id">;

/**
 * Creates a recovery code for a primary account. It replaces the former code, which is invalid from then on. If parallel
 * calls create codes, the last code is valid. Show the code to the user at once: only its hash is stored.
 * @returns the code: 24 of the characters A to Z and 0 to 9.
 * @throws {PosternError} `conflict` if the user has too many factors or was deleted, or if concurrent requests keep
 * changing the user.
 */
export async function createRecoveryCode(context: DataContext, user: UserId, by: FactorActor = "user"): Promise<string> {
  const { code, hash } = await newRecoveryCode(context);
  await storeRecoveryCode(context, user, hash, by);
  return code;
}

/**
 * Derives a recovery code from a submitted form. If a browser sends the form twice and displays only the second response,
 * the user still sees the right code, because both responses contain the same one.
 * @param form identifies the form and the session.
 * @returns the code and its hash. The code becomes valid when `storeRecoveryCode` stores the hash.
 */
export async function recoveryCodeOfForm({ data, secrets }: DataContext, form: readonly string[]): Promise<HashedRecoveryCode> {
  const bytes = base64url.decode(await secrets.fingerprints.of("recovery code of a form", data.tenantId, ...form));
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let code = "";
  for (; code.length < codeLength; number /= BigInt(alphabet.length)) code += alphabet[Number(number % BigInt(alphabet.length))];
  return { code, hash: await sha256(code) };
}

/** A recovery code, and its hash, with which it becomes valid. */
export interface HashedRecoveryCode {
  readonly code: string;
  readonly hash: string;
}

/**
 * Whether a user who adds a factor gets a recovery code with it: they have none, and the tenant enables them.
 * @param factors the user's confirmed factors.
 */
export function getsRecoveryCode(
  { factors: enabled }: Pick<MultifactorSettings, "factors">,
  factors: readonly Pick<Factor, "type">[],
): boolean {
  return enabled["recovery-code"] && !factors.some(({ type }) => type === "recovery-code");
}

/**
 * Whether a user can have a recovery code: the tenant enables it, and the user has a factor that it replaces once.
 * @param factors the user's confirmed factors.
 */
export function canHaveRecoveryCode(
  { factors: enabled }: Pick<MultifactorSettings, "factors">,
  factors: readonly Pick<Factor, "type">[],
): boolean {
  return enabled["recovery-code"] && factors.some(({ type }) => type !== "recovery-code" && type !== "email");
}

/** Returns a new recovery code that is not valid yet, and its hash for {@link storeRecoveryCode}. */
export async function newRecoveryCode(context: DataContext): Promise<HashedRecoveryCode> {
  const code = newCode(context);
  return { code, hash: await sha256(code) };
}

/**
 * Returns the first recovery code of a user who adds a factor in a login session. It is derived, so that a request after
 * a crash gets the same code, although the code is not stored.
 * @param place the id of the login session.
 */
export async function firstRecoveryCodeIn(context: DataContext, user: UserId, place: string): Promise<HashedRecoveryCode> {
  const code = await deriveCode(context, user, "first", place);
  return { code, hash: await sha256(code) };
}

/**
 * Makes the recovery code with this hash the valid one of a primary account, as {@link createRecoveryCode} does.
 * @throws {PosternError} `conflict` as {@link createRecoveryCode}.
 */
export async function storeRecoveryCode(context: DataContext, user: UserId, code_hash: string, by: FactorActor = "user"): Promise<void> {
  const { user_id } = user;
  const id = await recoveryCodeId(user_id);
  const replaced = { set: { code_hash, last_used_at: null }, add: { revision: 1 } };
  const replace = async () => (await context.data.factors.update({ id, user_id, confirmed_at: { exists: true } }, replaced)) === 1;
  await insertUnless(replace, context, { id, user_id, code_hash, by });
}

/**
 * Stores the recovery code whose hash a confirmed factor contains, unless the user has a recovery code. Then removes the
 * hash from the factor, so that an old code never becomes valid again. Idempotent. If the process crashes before, or
 * parallel requests keep changing the user, the next read of the factors repeats the call.
 */
export async function activateRecoveryCode(
  context: DataContext,
  { id, user_id, code_hash }: Pick<Row<"factors">, "id" | "user_id" | "code_hash">,
): Promise<void> {
  const { factors } = context.data;
  if (code_hash === null) return;
  const codeId = await recoveryCodeId(user_id);
  const exists = async () => (await factors.count({ id: codeId, user_id, confirmed_at: { exists: true } })) > 0;
  // The user may freeze the factors now. The confirmation of the factor, which came before, has allowed the recovery code.
  try {
    await insertUnless(exists, context, { id: codeId, user_id, code_hash, by: "administrator" });
  } catch (error) {
    // The factor is confirmed: its user must not get an error now.
    if (isPosternError(error) && error.code === "conflict") return;
    throw error;
  }
  await factors.update({ id, user_id, code_hash }, { set: { code_hash: null }, add: { revision: 1 } });
}

/** A recovery code that is stored as a confirmed factor. */
interface StoredRecoveryCode {
  readonly id: string;
  readonly user_id: string;
  readonly code_hash: string;
  readonly by: FactorActor;
}

/** Stores a recovery code unless a function returns `true`. It is called before each attempt. */
async function insertUnless(
  isDone: () => Promise<boolean>,
  context: DataContext,
  { id, user_id, code_hash, by }: StoredRecoveryCode,
): Promise<void> {
  const { data } = context;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await isDone()) return;
    // A parallel request or a crashed one may have left an unconfirmed row.
    const adopted = { set: { code_hash, expires_at: context.now() + enrollmentLifetime }, add: { revision: 1 } };
    if ((await data.factors.update({ id, user_id, confirmed_at: null }, adopted)) === 0) {
      await storeFactor(context, { user_id }, { type: "recovery-code", id, codeHash: code_hash, by }).catch((error: unknown) => {
        if (!isPosternError(error) || error.code !== "conflict" || attempt === attempts - 1) throw error;
      });
    }
    if ((await confirmFactor(context, { id, user_id, type: "recovery-code" }, { usedAt: null, by })) === "confirmed") return;
  }
  throw lostRace("recovery code");
}

/** Where a recovery code is used. A lost response can be repeated there: the same code has the same successor. */
export interface RecoveryPlace {
  /** The id of the login session, session or ticket, or the hash of the `mfa_token`. */
  readonly id: string;
  /**
   * Whether the caller may handle the same code several times, also in parallel. Otherwise, the code is accepted again only
   * a moment later, and once.
   */
  readonly isRepeatable: boolean;
}

/**
 * Uses a recovery code and replaces it with the next code. One conditional write decides, so a code is used once, even
 * by parallel calls. Call `reserveFactorAttempt` first.
 * @param text the code as typed. Spaces, dashes and letter case are ignored.
 * @param place the next code derives from it, so that a crash does not lose it: for ten minutes, the same code is accepted
 * again in the same place, with the same result.
 * @returns the next code, which must be shown to the user; undefined if the code is wrong.
 */
export async function useRecoveryCode(
  context: DataContext,
  user: UserId,
  text: string,
  place?: RecoveryPlace,
): Promise<string | undefined> {
  const code = normalize(text);
  if (code === undefined) return undefined;
  const { user_id } = user;
  const { factors } = context.data;
  const next = place === undefined ? newCode(context) : await deriveCode(context, user, code, place.id);
  const [code_hash, nextHash] = await Promise.all([sha256(code), sha256(next)]);
  const now = context.now();
  const row = { id: await recoveryCodeId(user_id), user_id, confirmed_at: { exists: true } } as const;
  const write = { set: { code_hash: nextHash, last_used_at: now }, add: { revision: 1 } };
  if ((await factors.update({ ...row, code_hash }, write)) === 1) return next;
  if (place === undefined) return undefined;
  if (place.isRepeatable) return findNextRecoveryCode(context, user, text, place.id);
  const usedAt = { gt: now - repeatable.to, lte: now - repeatable.from };
  return (await factors.update({ ...row, code_hash: nextHash, last_used_at: usedAt }, write)) === 1 ? next : undefined;
}

/**
 * Returns the successor of a recovery code that was used in a place within the last ten minutes, if the successor is
 * unused. Changes nothing.
 * @param place the id of the {@link RecoveryPlace}.
 */
export async function findNextRecoveryCode(context: DataContext, user: UserId, text: string, place: string): Promise<string | undefined> {
  const code = normalize(text);
  if (code === undefined) return undefined;
  const { user_id } = user;
  const next = await deriveCode(context, user, code, place);
  const where = {
    id: await recoveryCodeId(user_id),
    user_id,
    confirmed_at: { exists: true },
    code_hash: await sha256(next),
    last_used_at: { gt: context.now() - repeatable.to },
  } as const;
  return (await context.data.factors.count(where)) === 1 ? next : undefined;
}

/** Returns a typed recovery code without spaces and dashes, in upper case. Undefined if it cannot be a recovery code. */
function normalize(text: string): string | undefined {
  const code = foldDigits(text).toUpperCase();
  return /^[A-Z0-9]{24}$/.test(code) ? code : undefined;
}

/** Derives a recovery code from another text, which the user typed, and from a key of the host application. */
async function deriveCode({ secrets }: DataContext, { user_id }: UserId, presented: string, place: string): Promise<string> {
  const text = await secrets.successors.textOf(presented, JSON.stringify(["recovery code", user_id, place]));
  // 384 bits, so that the remainders are uniform enough.
  let number = base64url.decode(text).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let code = "";
  while (code.length < codeLength) {
    code += alphabet.charAt(Number(number % BigInt(alphabet.length)));
    number /= BigInt(alphabet.length);
  }
  return code;
}

/**
 * Returns the id of the user's recovery code. It derives from the user id, so the primary key ensures that a user has at
 * most one.
 */
export async function recoveryCodeId(userId: string): Promise<string> {
  const hash = await sha256(`recovery code of ${userId}`);
  return `recovery-code|dev_${hash.replaceAll(/[-_]/g, "").slice(0, 16)}`;
}

function newCode({ random }: DataContext): string {
  return randomCharacters(random, alphabet, codeLength);
}
