import { isUnproven, isUnprovenSignUp } from "../../model/users/email-proof.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { isProtected } from "../factors/protected-account.ts";

/**
 * Whether a user who proves an unproven address of an account must pass a second factor first. A mailbox or a phone alone
 * takes over only an account without a factor, and an unproven sign-up, whose factors may belong to another visitor. The
 * owner of every other account can have a new address that nobody has proven yet, or lose the old one to another person.
 * @param account a primary account, or one that is linked to it: the factors of the primary account count then.
 */
export async function needsFactorToClaim(data: Pick<TenantData, "factors" | "users">, account: Row<"users">): Promise<boolean> {
  if (isUnprovenSignUp(account)) return false;
  const primary = (account.linked_to === "" ? undefined : await findOne(data.users, { user_id: account.linked_to })) ?? account;
  return isProtected(data, primary);
}

/** Whether a code was sent to an address of an account that is unproven, also after the code was entered. */
export function isClaimedBy(channels: readonly string[], account: Row<"users">): boolean {
  return channels.some((address) => {
    if (address === account.phone_number) return !account.phone_verified;
    return address.toLowerCase() === account.email.toLowerCase() && isUnproven(account);
  });
}
