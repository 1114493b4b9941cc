import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";

/** A user that a browser signed in to. */
interface MarkedUser {
  /** The id of the primary user. */
  readonly userId: string;
  /**
   * `true` if the email address of the account was verified when the browser signed in, not only asserted. Otherwise an
   * attacker could sign up with the address of another user, or through a provider that does not verify addresses. The
   * attacker would then have a known browser of the account that the owner takes over later.
   */
  readonly isVerified: boolean;
}

/**
 * The mark with which a browser remembers a user. It is keyed with the host's secret: it contains no id and cannot be
 * forged.
 */
export async function markOf(tenant: TenantContext, { userId, isVerified }: MarkedUser): Promise<string> {
  return tenant.secrets.fingerprints.of(isVerified ? "verified device" : "device", tenant.data.tenantId, userId);
}

/**
 * Returns the primary user of an account if the browser has signed in to it before, with a verified email address.
 * Takes the same time if there is no account.
 * @param marks from the cookie of the browser.
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
