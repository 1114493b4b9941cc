import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import { isConflict } from "../../store/conflicts.ts";
import type { Row } from "../../store/schema.ts";
import { requireActionsAllow } from "../actions/own-change.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import { accessColumns } from "./account-access.ts";
import { loginKeys, requireFreeKeys } from "./login-keys.ts";
import { usernameFault, usernameRules } from "./username.ts";

/** A new username that a signed-in user chose. */
interface OwnUsername {
  /** The password database of the account. */
  readonly connection: Row<"connections">;
  /** The primary account, as it was read when the change was allowed. */
  readonly user: Row<"users">;
  readonly username: string;
  readonly client: RegisteredClient | undefined;
}

/**
 * Changes the username of a user who has been allowed to do so. The rules are those of a sign-up. Writes the audit event,
 * and tells the user.
 * @returns `invalid` if the connection does not allow the username; `taken` if another account of the connection has it;
 * `outdated` if the account was changed, blocked or deleted since it was read, or its deletion is pending.
 * @throws {PosternError} `access_denied` if changes are frozen or an action denies the change; `temporarily_unavailable` if
 * an action failed; `conflict` if concurrent requests keep changing the user.
 */
export async function changeUsername(
  tenant: TenantContext,
  { connection, user, username, client }: OwnUsername,
): Promise<"changed" | "invalid" | "taken" | "outdated"> {
  if (usernameFault(username, usernameRules(databaseOptions(connection))) !== undefined) return "invalid";
  const access = JSON.stringify(accessColumns(user));
  const where = { user_id: user.user_id, linked_to: "", blocked: false, deletes_at: null } as const;
  const apply = async (current: Row<"users">): Promise<Partial<Row<"users">> | undefined> => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    if (JSON.stringify(accessColumns(current)) !== access) return undefined;
    const keys = loginKeys(current.provider, { ...current, username });
    await requireFreeKeys(tenant.data, current, { username_key: keys.username_key });
    await requireActionsAllow(tenant, { user: current, client, changes: { username } });
    return { username, ...keys, updated_at: tenant.now() };
  };
  const change = await changeRow(tenant.data.users, where, apply).catch((error: unknown) => {
    if (isConflict(error)) return "taken" as const;
    throw error;
  });
  if (change === "taken") return change;
  if (change.outcome === "lost-race") throw lostRace("user");
  if (change.outcome === "absent") return "outdated";
  // Another submission of the form has changed the username.
  if (change.outcome === "unchanged") return change.row.username === username ? "changed" : "outdated";
  const notice = await tenant.messages.notifyAccountChange(user, { change: "username", client });
  const about = { ...auditClient(client), ...auditUser(change.row) };
  await tenant.audit({ type: "scu", description: "The user changed their username.", ...about, details: notice });
  return "changed";
}
