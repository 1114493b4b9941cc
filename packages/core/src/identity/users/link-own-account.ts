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
 * Writes the audit event.
 * @returns the linked account; undefined if the identity is a separate account, whose roles and memberships a link would
 * delete, or if the user was blocked, linked or deleted.
 * @throws {PosternError} `access_denied` if changes are frozen.
 */
export async function linkOwnAccount(
  tenant: TenantContext,
  { user, connection, profile, client }: OwnLink,
): Promise<Row<"users"> | undefined> {
  const { data } = tenant;
  const known = await findUpstreamAccount(data, connection, profile.subject);
  if (known !== undefined && known.linked_to !== user.user_id) return undefined;
  // The write that allows the change: a freeze or a block is stored either before it, or after the account was linked.
  const { outcome } = await changeRow(data.users, { user_id: user.user_id, linked_to: "", blocked: false }, (current) => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    return { updated_at: tenant.now() };
  });
  if (outcome !== "changed") return undefined;
  try {
    const account = await linkUpstream(tenant, connection, profile, user);
    await tenant.audit({
      type: "my_account_profile_succeeded",
      description: "The user linked an account.",
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(user),
      details: { fields: ["identities"] },
    });
    return account;
  } catch (error) {
    if (isLinkRefusal(error)) return undefined;
    throw error;
  }
}
