import { sha256 } from "../../../adapters/digest.ts";
import type { DataContext } from "../../../context.ts";
import { isPosternError } from "../../../errors.ts";
import type { ImportedFactor } from "../../../model/users/imported-users.ts";
import { findOne } from "../../../store/find-one.ts";
import type { Row } from "../../../store/schema.ts";
import { confirmedFactors, storeFactor, findFactors, insertFactorsOfNewUser, type NewFactor } from "../../factors/factors.ts";

type IdentifiedFactor = NewFactor & { readonly id: string };

/** Returns the types of imported factors, as an account lists them in `enrolled_factors`. */
export function typesOfImported(factors: readonly ImportedFactor[]): string[] {
  return [...new Set(factors.flatMap((factor) => Object.keys(factor)))].toSorted();
}

/**
 * Stores the factors of an account that is about to be inserted. They come first, so that a crash leaves no account that
 * lacks its second factor.
 * @returns a function that removes the stored factors again, for an account that was not inserted.
 */
export async function insertImportedFactors(
  context: DataContext,
  userId: string,
  factors: readonly ImportedFactor[],
): Promise<() => Promise<void>> {
  const stored = await insertFactorsOfNewUser(context, userId, await toNewFactors(userId, factors));
  return async () => {
    for (const id of stored) await context.data.factors.delete({ id, user_id: userId });
  };
}

/**
 * Adds imported factors to an account that exists. Adds none if the account has other factors. Otherwise an administrator
 * who may only import users could add their own phone to another user's account, and pass the second factor with it.
 * @returns why the factors were not added, as text for the errors of the import; undefined if the account has them.
 */
export async function addImportedFactors(
  context: DataContext,
  account: Pick<Row<"users">, "user_id" | "linked_to" | "linked_count">,
  factors: readonly ImportedFactor[],
): Promise<string | undefined> {
  const { linked_to: primaryId } = account;
  const primary = (primaryId === "" ? undefined : await findOne(context.data.users, { user_id: primaryId })) ?? account;
  const { user_id: userId } = primary;
  const given = await toNewFactors(userId, factors);
  const known = new Set(confirmedFactors(await findFactors(context.data, primary)).map(({ id }) => id));
  const missing = given.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return undefined;
  if (known.size > given.length - missing.length)
    return "The user already has a second factor or a passkey. Remove this member to update the user without new factors.";
  try {
    for (const factor of missing) await storeFactor(context, { user_id: userId }, { ...factor, confirmed: true, by: "administrator" });
    return undefined;
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return error.message;
  }
}

/** The id is derived from the account and the value, so that a repeated import adds no factor twice. */
async function toNewFactors(userId: string, factors: readonly ImportedFactor[]): Promise<readonly IdentifiedFactor[]> {
  const found = new Map<string, IdentifiedFactor>();
  for (const factor of factors) {
    const input = toNewFactor(factor);
    const hash = await sha256(`${userId}|${input.type}|${input.totpSecret ?? input.address}`);
    const id = `${input.type}|dev_${hash.slice(0, 16)}`;
    found.set(id, { ...input, id });
  }
  return [...found.values()];
}

function toNewFactor(factor: ImportedFactor): NewFactor {
  if ("totp" in factor) return { type: "totp", totpSecret: factor.totp.secret };
  if ("phone" in factor) return { type: "phone", address: factor.phone.value, channel: "sms" };
  return { type: "email", address: factor.email.value };
}
