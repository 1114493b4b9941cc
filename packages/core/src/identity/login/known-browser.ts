import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";

/** A user who signed in with a browser. */
interface MarkedUser {
  /** The id of the primary user. */
  readonly userId: string;
  /**
   * Whether the email address of the account was verified at that sign-in, not only asserted by a provider. Without
   * this condition, an attacker could create an account with another user's email address, by sign-up or through a
   * provider that does not verify addresses. When the owner of the email address takes the account over later, the
   * attacker's browser would still count as known.
   */
  readonly isVerified: boolean;
}

/**
 * Returns the mark that a browser's cookie stores for a user. The mark is keyed with the host's secret, so that it
 * contains no id and cannot be forged.
 */
export async function markOf(tenant: TenantContext, { userId, isVerified }: MarkedUser): Promise<string> {
  return tenant.secrets.fingerprints.of(isVerified ? "verified device" : "device", tenant.data.tenantId, userId);
}

/**
 * Returns the id of an account's primary user if that user has signed in with the browser before, with a verified email
 * address. Takes the same time if there is no account.
 * @param marks from the browser's cookie.
 */
export async function findKnownUserId(
  tenant: TenantContext,
  marks: readonly string[],
  account: Row<"users"> | undefined,
): Promise<string | undefined> {
  if (marks.length === 0) return undefined;
  const userId = account === undefined || account.linked_to === "" ? (account?.user_id ?? "") : account.linked_to;
  const mark = await markOf(tenant, { userId, isVerified: true });
  return userId !== "" && marks.includes(mark) ? userId : undefined;
}
