import type { DataContext } from "../../context.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { findOne } from "../../store/find-one.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";
import { hasIndependentFactor } from "./factor-policy.ts";
import { areFactorsFrozen, frozenFactors } from "./frozen-factors.ts";
import { isFactorOfLinked, readLinkedFactors, removeAbsentTypes } from "./linked-factors.ts";
import { sealTotpSecret } from "./totp.ts";
import { forgetTrustedBrowsers } from "./trusted-browser.ts";
import { queuePhoneLogouts } from "../sessions/logouts.ts";

/** A second factor or passkey of a user. `user_id` is the account that it was added to, see `readLinkedFactors`. */
export type Factor = Row<"factors">;

/** Maximum number of a user's factors, including unconfirmed ones. */
export const maximumFactors = 50;

/** Maximum number of a user's passkeys, as in Auth0. */
export const maximumPasskeys = 20;

/** Milliseconds after which an unconfirmed factor expires. */
export const enrollmentLifetime = 10 * 60_000;

/** A factor that is to be enrolled. Members that do not apply to the type are omitted. */
export interface NewFactor {
  readonly type: FactorType;
  /** Default: a random id. Pass an id only for a type of which each user has at most one. */
  readonly id?: string;
  /** The name that the user or an administrator gave the factor. At most 64 characters. */
  readonly name?: string | undefined;
  /** The key of an authenticator app in base32. It is stored encrypted. See `newTotpSecret` and `importTotpSecret`. */
  readonly totpSecret?: string;
  /** The email address or phone number that codes are sent to. */
  readonly address?: string;
  /** How codes are sent to a phone. */
  readonly channel?: "sms" | "voice";
  /** The hash of a recovery code. For another factor: of the code that becomes valid with it, see `confirmOwnFactor`. */
  readonly codeHash?: string;
  /** The hash that identifies a WebAuthn credential within its relying party. No two factors of a tenant share it. */
  readonly credentialHash?: string;
  /** The public key and the properties of a WebAuthn credential. */
  readonly credential?: JsonObject;
  /** The signature counter of a WebAuthn credential. Default: 0. */
  readonly signCount?: number;
  /**
   * Whether the factor is confirmed without a use: an administrator created it, or the request that enrolls it proves
   * its possession. Default: false.
   */
  readonly confirmed?: boolean;
  /** The party that adds the factor. An administrator can do so while the user's factors are frozen. Default: the user. */
  readonly by?: FactorActor;
}

/** The party that changes the factors of a user. */
export type FactorActor = "user" | "administrator";

/**
 * Returns all factors of a primary account, oldest first: at most {@link maximumFactors}, with unconfirmed and expired
 * ones, followed by the confirmed factors of its linked accounts. Sends one query, and up to two more for a user with
 * linked accounts. Use {@link confirmedFactors} to select those that a user can authenticate with.
 */
export async function findFactors(
  data: Pick<TenantData, "factors" | "users">,
  { user_id, linked_count }: Pick<Row<"users">, "user_id" | "linked_count">,
): Promise<readonly Factor[]> {
  const orderBy = { fields: ["user_id", "created_at", "id"], direction: "asc" } as const;
  const [own, linked] = await Promise.all([
    data.factors.find({ where: { user_id }, orderBy, limit: maximumFactors }),
    linked_count === 0 ? undefined : readLinkedFactors(data, user_id),
  ]);
  return linked === undefined ? own : [...own, ...linked.factors];
}

/**
 * Returns one factor of a primary account or of an account that is linked to it; undefined if the user has no factor with
 * this id, even if another user has it. The factor may be unconfirmed.
 */
export async function findFactor(data: Pick<TenantData, "factors" | "users">, userId: string, id: string): Promise<Factor | undefined> {
  const factor = await findOne(data.factors, { id });
  if (factor === undefined || factor.user_id === userId) return factor;
  return (await isFactorOfLinked(data, factor, userId)) ? factor : undefined;
}

/** Returns the factors that a user can authenticate with. Unconfirmed factors satisfy no requirement. */
export function confirmedFactors(factors: readonly Factor[]): readonly Factor[] {
  return factors.filter(({ confirmed_at: confirmed }) => confirmed !== null);
}

/** Whether a factor waits for its confirmation and has not expired. */
export function isPendingFactor(context: Pick<DataContext, "now">, { confirmed_at: confirmed, expires_at: expires }: Factor): boolean {
  return confirmed === null && expires !== null && expires > context.now();
}

/**
 * Stores a factor of a primary account. The new factor is unconfirmed, expires after {@link enrollmentLifetime}, and
 * replaces no other factor. With `confirmed: true`, it is confirmed at once.
 * @throws {PosternError} `conflict` if the user has too many factors, if another factor has the same id or WebAuthn
 * credential, or if concurrent requests keep changing the user; `access_denied` if the user's factors are frozen;
 * `not_found` if a factor cannot be confirmed because the user was deleted.
 */
export async function storeFactor(context: DataContext, { user_id }: Pick<Row<"users">, "user_id">, input: NewFactor): Promise<Factor> {
  const { data } = context;
  const now = context.now();
  const factor = await factorRow(context, user_id, input);
  const { id } = factor;
  await data.factors.delete({ user_id, expires_at: { lt: now } });
  if (!(await data.factors.insert([factor]))) throw new PosternError("conflict", "The factor is already enrolled.");
  // Counted after the insertion, so that parallel requests cannot exceed the maximum together.
  if (await hasTooMany(data, user_id, input.type)) {
    await data.factors.delete({ id, confirmed_at: null });
    throw new PosternError("conflict", "The user has the maximum number of factors. Remove a factor first.");
  }
  if (input.confirmed !== true) return factor;
  // The row is stored before `confirmFactor` adds its type to the user's `enrolled_factors`: a parallel
  // `removeAbsentTypes` removes every type from that list that no stored factor has.
  const outcome = await confirmFactor(context, factor, { usedAt: null, by: input.by ?? "user" });
  return outcome === "confirmed" ? { ...factor, revision: 2, confirmed_at: now, expires_at: null } : discardFactor(context, factor);
}

/**
 * Deletes a new factor that could not be confirmed.
 * @throws {PosternError} always: `access_denied` if the user's factors are frozen, otherwise `not_found`, because the user
 * was deleted.
 */
export async function discardFactor(context: DataContext, { id, user_id }: Pick<Factor, "id" | "user_id">): Promise<never> {
  const { data } = context;
  await data.factors.delete({ id, confirmed_at: null });
  const user = await findOne(data.users, { user_id });
  if (user !== undefined && areFactorsFrozen(context, user)) throw frozenFactors();
  throw new PosternError("not_found", "The user does not exist.", { errorCode: "inexistent_user" });
}

/** Creates the row of an unconfirmed factor. */
async function factorRow(context: DataContext, user_id: string, input: NewFactor): Promise<Factor> {
  const now = context.now();
  const { type, id = newFactorId(context, type) } = input;
  return {
    id,
    user_id,
    type,
    name: input.name ?? null,
    ...(input.totpSecret === undefined ? { secrets: {}, seal: "" } : await sealTotpSecret(context, id, input.totpSecret)),
    address: input.address ?? null,
    channel: input.channel ?? null,
    code_hash: input.codeHash ?? null,
    last_step: 0,
    used_form: null,
    credential_hash: input.credentialHash ?? null,
    credential: input.credential ?? {},
    sign_count: input.signCount ?? 0,
    revision: 1,
    last_used_at: null,
    confirmed_at: null,
    created_at: now,
    expires_at: now + enrollmentLifetime,
  };
}

/**
 * Stores confirmed factors of an account that does not exist yet. Insert the account next, with their types in
 * `enrolled_factors`. No other request can use the factors before.
 * @returns the ids of the factors that this call stored. A factor with the same id may exist already.
 */
export async function insertFactorsOfNewUser(context: DataContext, userId: string, inputs: readonly NewFactor[]): Promise<string[]> {
  const ids: string[] = [];
  for (const input of inputs) {
    const row = await factorRow(context, userId, input);
    const isStored = await context.data.factors.insert([{ ...row, confirmed_at: context.now(), expires_at: null }]);
    if (isStored) ids.push(row.id);
  }
  return ids;
}

/** How a factor is confirmed. */
export interface Confirmation {
  /** When the user used the factor. Default: now. Null for a factor that is confirmed without a use. */
  readonly usedAt?: number | null;
  /** Default: the user. */
  readonly by?: FactorActor;
  /**
   * Whether the user had no independent factor when the permission to add one was given. Then the factor is confirmed only
   * if it is the first one: the first factor needs no other, so a stolen password would be enough to add another one.
   * Default: false.
   */
  readonly onlyIfFirst?: boolean;
  /** The hash of a recovery code to store in the factor. Default: the hash that the factor has. */
  readonly codeHash?: string | undefined;
}

/**
 * Whether a factor was confirmed. `already-enrolled`: the user has another independent factor by now, which a parallel
 * request added. `unavailable`: the factor is confirmed already, has expired, or was removed, the user was deleted, or
 * their factors are frozen.
 */
export type ConfirmationOutcome = "confirmed" | "already-enrolled" | "unavailable";

/**
 * Confirms a factor that the user has just used for the first time. The type is added to the user's `enrolled_factors`
 * first, so that the list never lacks the type of a confirmed factor. Ends the trust in all browsers of the user.
 *
 * With `onlyIfFirst`, the same write claims to add the first factor. Of parallel calls, one confirms its factor. A claim
 * that a crash left has no effect: the next claim deletes its factor, so that it cannot be confirmed later.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user. Nothing is confirmed then.
 */
export async function confirmFactor(
  context: DataContext,
  factor: Pick<Factor, "id" | "user_id" | "type">,
  { usedAt = context.now(), by = "user", onlyIfFirst = false, codeHash }: Confirmation = {},
): Promise<ConfirmationOutcome> {
  const { data } = context;
  const { id, user_id } = factor;
  const outcome = await addType(context, factor, { by, onlyIfFirst });
  if (outcome === "already-enrolled") await data.factors.delete({ id, user_id, confirmed_at: null });
  if (outcome !== "added") return outcome;
  await forgetTrustedBrowsers(data, user_id);
  const now = context.now();
  const guard = { id, user_id, confirmed_at: null, expires_at: { gt: now } };
  const set = { confirmed_at: now, expires_at: null, last_used_at: usedAt, ...(codeHash !== undefined && { code_hash: codeHash }) };
  if ((await data.factors.update(guard, { set, add: { revision: 1 } })) === 1) return "confirmed";
  // The factor is deleted if a parallel request claimed to add the first one.
  return onlyIfFirst && (await findFactor(data, user_id, id)) === undefined ? "already-enrolled" : "unavailable";
}

/** Records that the user has authenticated with a factor. */
export async function useFactor(context: DataContext, id: string): Promise<void> {
  await context.data.factors.update({ id }, { set: { last_used_at: context.now() }, add: { revision: 1 } });
}

/**
 * Changes the name of a factor or the channel for its codes. @returns `false` if the user has no factor with this id.
 */
export async function updateFactor(
  { data }: DataContext,
  { id, user_id }: Pick<Factor, "id" | "user_id">,
  set: Partial<Pick<Factor, "name" | "channel">>,
): Promise<boolean> {
  return (await data.factors.update({ id, user_id }, { set, add: { revision: 1 } })) === 1;
}

/**
 * Removes a factor of a user, which may have been added to a linked account. Ends the trust in all browsers of the user.
 * @param userId the primary account.
 * @returns `true` if this call removed it.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user. The factor is removed then, but its
 * type stays in the user's `enrolled_factors`.
 */
export async function removeFactor(context: Pick<DataContext, "data" | "now">, userId: string, id: string): Promise<boolean> {
  const { data } = context;
  const factor = await findFactor(data, userId, id);
  if (factor !== undefined) await queuePhoneLogouts(context, userId, [factor]);
  const removed = factor === undefined ? 0 : await data.factors.delete({ id, user_id: factor.user_id });
  await recordRemoval(context, userId, removed);
  return removed === 1;
}

/**
 * Removes all factors of a primary account and its linked accounts, with the recovery code, the passkeys and unconfirmed
 * factors. Recovery codes of linked accounts stay: they are valid only after the account was unlinked. Ends the trust in
 * all browsers of the user. Idempotent.
 * @returns the number of removed factors.
 * @throws {PosternError} `conflict` as {@link removeFactor}.
 */
export async function removeAllFactors(context: Pick<DataContext, "data" | "now">, userId: string): Promise<number> {
  const { data } = context;
  const { factors } = await readLinkedFactors(data, userId);
  await queuePhoneLogouts(context, userId, factors);
  let removed = await data.factors.delete({ user_id: userId });
  for (const { id, user_id } of factors) removed += await data.factors.delete({ id, user_id });
  await recordRemoval(context, userId, removed);
  return removed;
}

/**
 * Removes the factors that were added to an account, and none of the accounts that are linked to it. Idempotent.
 * @throws {PosternError} `conflict` as {@link removeFactor}.
 */
export async function removeFactorsOfAccount(context: Pick<DataContext, "data" | "now">, accountId: string): Promise<void> {
  await recordRemoval(context, accountId, await context.data.factors.delete({ user_id: accountId }));
}

/**
 * Ends the trust in the browsers of a user, and updates the list of factor types and the time of the last change.
 * @param removed the number of removed factors. Absent types are removed even if it is 0, because an earlier call may have
 * crashed after its removal.
 */
async function recordRemoval(context: Pick<DataContext, "data" | "now">, userId: string, removed: number): Promise<void> {
  await forgetTrustedBrowsers(context.data, userId);
  await removeAbsentTypes(context, userId, removed > 0 ? { factors_changed_at: context.now() } : {});
}

/** Returns a new id as Auth0 formats it: the type and 16 random characters, which have 95 bits. */
function newFactorId({ random }: Pick<DataContext, "random">, type: FactorType): string {
  return `${type}|dev_${random.alphanumeric(16)}`;
}

async function hasTooMany(data: TenantData, user_id: string, type: FactorType): Promise<boolean> {
  if ((await data.factors.count({ user_id })) > maximumFactors) return true;
  return type === "passkey" && (await data.factors.count({ user_id, type })) > maximumPasskeys;
}

/**
 * Adds the type of a factor to the user's `enrolled_factors`. Writes the row even if the type is listed, because the new
 * revision stops a parallel `removeAbsentTypes` or `linkUsers` that has not seen the factor. With `onlyIfFirst`, also
 * stores the factor in `first_factor`, at the revision at which the user had no independent factor.
 */
async function addType(
  context: DataContext,
  factor: Pick<Factor, "id" | "user_id" | "type">,
  { by, onlyIfFirst }: Required<Pick<Confirmation, "by" | "onlyIfFirst">>,
): Promise<"added" | Exclude<ConfirmationOutcome, "confirmed">> {
  const { id, user_id, type } = factor;
  let isAllowed = true;
  const change = await changeRow(context.data.users, { user_id, linked_to: "" }, async (user) => {
    if (by === "user" && areFactorsFrozen(context, user)) return undefined;
    isAllowed = !onlyIfFirst || (await isFirstFactor(context, factor, user));
    if (!isAllowed) return undefined;
    return {
      enrolled_factors: [...new Set([...(user.enrolled_factors ?? []), type])].toSorted(),
      factors_changed_at: context.now(),
      ...(onlyIfFirst && { first_factor: id }),
    };
  });
  if (change.outcome === "lost-race") {
    const { first_factor: claimed } = change.row;
    if (onlyIfFirst && claimed !== null && claimed !== id) return "already-enrolled";
    throw lostRace("user");
  }
  if (!isAllowed) return "already-enrolled";
  return change.outcome === "changed" ? "added" : "unavailable";
}

/**
 * Whether the user has no other independent factor. If another factor claims to be the first one, it is deleted unless it
 * is confirmed: either its process crashed, or it loses the race.
 */
async function isFirstFactor({ data }: Pick<DataContext, "data">, { id }: Pick<Factor, "id">, user: Row<"users">): Promise<boolean> {
  const { user_id, first_factor: claimed } = user;
  if (claimed !== null && claimed !== id) await data.factors.delete({ id: claimed, user_id, confirmed_at: null });
  const others = confirmedFactors(await findFactors(data, user)).filter((factor) => factor.id !== id);
  return !hasIndependentFactor(others.map(({ type }) => type));
}

/**
 * Removes types from the user's `enrolled_factors` that a crash left: the process stopped before it confirmed a factor, or
 * after it deleted one. Deletes expired factors first, so that no slow request can confirm one whose type is removed.
 * Changes nothing if parallel requests keep changing the user: the next call does.
 */
export async function healTypes(context: Pick<DataContext, "data" | "now">, userId: string): Promise<void> {
  await context.data.factors.delete({ user_id: userId, confirmed_at: null, expires_at: { lte: context.now() } });
  await removeAbsentTypes(context, userId).catch((error: unknown) => {
    if (!isPosternError(error) || error.code !== "conflict") throw error;
  });
}
