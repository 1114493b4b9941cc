import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import { readAllByIds } from "../../store/by-ids.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { linkedAccounts } from "../users/linked-accounts.ts";
import { forgetTrustedBrowsers } from "./trusted-browser.ts";

type Factor = Row<"factors">;
type LinkData = Pick<TenantData, "users" | "factors">;
type Changing = Pick<DataContext, "data" | "now">;

/** The factors that count for a primary account although they were added to accounts that are linked to it. */
interface LinkedFactors {
  /** The number of linked accounts, also of those without a factor. */
  readonly accounts: number;
  /** The confirmed factors of the linked accounts, without recovery codes: only the one of the primary account is valid. */
  readonly factors: readonly Factor[];
}

/** Reads the linked accounts of a primary account, and the factors that they bring. */
export async function readLinkedFactors(data: LinkData, primaryId: string): Promise<LinkedFactors> {
  const accounts = await linkedAccounts(data, [primaryId]);
  const ids = accounts.filter(({ enrolled_factors: types }) => (types ?? []).length > 0).map(({ user_id: id }) => id);
  const factors = await readAllByIds(data.factors, ["user_id", "created_at", "id"], "user_id", ids, { confirmed_at: { exists: true } });
  return { accounts: accounts.length, factors: factors.filter(isBrought) };
}

/** Whether a factor of a linked account counts for the primary account. */
function isBrought({ type, confirmed_at: confirmed }: Pick<Factor, "type" | "confirmed_at">): boolean {
  return confirmed !== null && type !== "recovery-code";
}

/**
 * Returns the primary account for which a factor counts: the account that it was added to, or the one that this account
 * is linked to. Undefined for a recovery code or an unconfirmed factor of a linked account, and if the account does not
 * exist.
 */
export async function findFactorOwner(
  data: Pick<TenantData, "users">,
  factor: Pick<Factor, "user_id" | "type" | "confirmed_at">,
): Promise<Row<"users"> | undefined> {
  const account = await findOne(data.users, { user_id: factor.user_id });
  if (account === undefined || account.linked_to === "") return account;
  if (!isBrought(factor)) return undefined;
  const primary = await findOne(data.users, { user_id: account.linked_to });
  return primary;
}

/** Whether a factor of another account counts for this primary account, because that account is linked to it. */
export async function isFactorOfLinked(data: Pick<TenantData, "users">, factor: Factor, primaryId: string): Promise<boolean> {
  return isBrought(factor) && (await data.users.count({ user_id: factor.user_id, linked_to: primaryId })) === 1;
}

/**
 * Removes types from the `enrolled_factors` of an account of which no factor counts for it any more. The account is read
 * before the factors. If a parallel request confirms a factor or links an account, then either this function reads that
 * factor, or the request has changed the revision and this function starts again. Therefore types of unconfirmed factors
 * stay in the list as well, and nothing is removed while `linked_count` is greater than the number of linked accounts: an
 * account is about to be linked.
 * @param change further columns to set. Default: none, and an unchanged list is not written.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user. The list may have too many types then.
 */
export async function removeAbsentTypes({ data }: Changing, userId: string, change: Partial<Row<"users">> = {}): Promise<void> {
  const { outcome } = await changeRow(data.users, { user_id: userId }, async (user) => {
    const listed = user.enrolled_factors ?? [];
    const types = await typesOfFactors(data, user, listed);
    const isListChanged = types.length < listed.length;
    if (!isListChanged && Object.keys(change).length === 0) return undefined;
    return { ...(isListChanged && { enrolled_factors: types.length === 0 ? null : types }), ...change };
  });
  if (outcome === "lost-race") throw lostRace("user");
}

/** Returns those of the types that the user has a factor of. */
async function typesOfFactors(data: LinkData, user: Row<"users">, types: readonly string[]): Promise<readonly string[]> {
  if (types.length === 0) return [];
  const stored = await data.factors.find({ where: { user_id: user.user_id }, fields: ["type"], limit: 1000 });
  const linked = user.linked_count === 0 ? undefined : await readLinkedFactors(data, user.user_id);
  if (linked !== undefined && linked.accounts < user.linked_count) return types;
  const found = new Set([...stored, ...(linked?.factors ?? [])].map(({ type }) => type));
  return types.filter((type) => found.has(type));
}

/**
 * Updates the lists of factor types after an account was unlinked, and ends the trust in the browsers of the former
 * primary account, whose factors have changed. Idempotent. Sends one query if neither account lists a factor.
 */
export async function separateFactors(context: Changing, primaryId: string, accountId: string): Promise<void> {
  const { data } = context;
  const accounts = await data.users.find({ where: { user_id: { in: [primaryId, accountId] } }, limit: 2 });
  const listing = accounts.filter(({ enrolled_factors: types }) => types !== null).map(({ user_id: id }) => id);
  if (!listing.includes(primaryId) && !listing.includes(accountId)) return;
  if (listing.includes(accountId)) {
    await forgetTrustedBrowsers(data, primaryId);
    await removeAbsentTypes(context, accountId);
  }
  if (listing.includes(primaryId)) {
    await removeAbsentTypes(context, primaryId, listing.includes(accountId) ? { factors_changed_at: context.now() } : {});
  }
}
