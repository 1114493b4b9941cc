import type { TenantContext } from "../../context.ts";
import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import { isLinkRefusal, linkUpstream } from "./link-upstream.ts";
import { findUpstreamAccount } from "./upstream-account.ts";

/** The identity at a provider that a signed-in user links to their account. */
interface OwnLink {
  /** The primary account, as it was read when the change was allowed. */
  readonly user: Row<"users">;
  readonly connection: Row<"connections">;
  readonly profile: UpstreamProfile;
  readonly client: RegisteredClient;
}

/**
 * Links an identity at a provider to the account of a user who has been allowed to do so and authenticated at the provider.
 * Writes the audit event, and tells the user.
 * @returns the linked account; `refused` if the identity is a separate account, whose roles and memberships a link would
 * delete; `outdated` if the user was changed, blocked, linked or deleted, or the deletion is pending.
 * @throws {PosternError} `access_denied` if changes are frozen.
 */
export async function linkOwnAccount(
  tenant: TenantContext,
  { user, connection, profile, client }: OwnLink,
): Promise<Row<"users"> | "refused" | "outdated"> {
  const { data } = tenant;
  const known = await findUpstreamAccount(data, connection, profile.subject);
  if (known !== undefined && known.linked_to !== user.user_id) return "refused";
  // The write that allows the change: it fails after a freeze, a block or a request for deletion. Any of these that follows
  // the write does not stop the link.
  const where = { user_id: user.user_id, linked_to: "", blocked: false, deletes_at: null } as const;
  const { outcome } = await changeRow(data.users, where, (current) => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    return { updated_at: tenant.now() };
  });
  if (outcome !== "changed") return "outdated";
  try {
    const account = await linkUpstream(tenant, connection, profile, user);
    const notice = await tenant.messages.notifyAccountChange(user, { change: "linked", client });
    await tenant.audit({
      type: "my_account_profile_succeeded",
      description: "The user linked an account.",
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(user),
      details: { fields: ["identities"], ...notice },
    });
    return account;
  } catch (error) {
    if (isLinkRefusal(error)) return "refused";
    throw error;
  }
}
