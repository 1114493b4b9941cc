import type { TenantContext } from "../../context.ts";
import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { Row } from "../../store/schema.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import type { PasswordFault } from "../passwords/policy.ts";
import { prepareNewPassword } from "./new-password.ts";

/** A new password that a signed-in user chose. */
interface OwnPassword {
  /** The password database of the account. */
  readonly connection: Row<"connections">;
  /** The primary account, as it was read when the change was allowed. */
  readonly user: Row<"users">;
  readonly password: string;
  /** The session of the change, which stays active. */
  readonly sessionId: string;
  readonly client: RegisteredClient | undefined;
}

/**
 * Changes the password of a user who has been allowed to do so. Ends all other sessions, their tokens and the trust in
 * browsers, as a reset does. Writes the audit event, and tells the user.
 * @returns the fault if the connection's policy does not allow the password; `lost-race` if the account was changed, blocked
 * or deleted since it was read, or its deletion is pending. Of parallel calls, one changes the password.
 * @throws {PosternError} `access_denied` if changes are frozen.
 */
export async function changeOwnPassword(
  tenant: TenantContext,
  { connection, user, password, sessionId: keepSession, client }: OwnPassword,
): Promise<"changed" | "lost-race" | PasswordFault> {
  if (areFactorsFrozen(tenant, user)) throw frozenFactors();
  const { user_id: userId, password_id, factors_frozen_until } = user;
  const prepared = await prepareNewPassword(tenant, { connection, account: user, owner: user, userId, password, keepSession });
  if (prepared.kind === "refused") return prepared.fault;
  const set = { ...prepared.set, updated_at: tenant.now() };
  const guard = { user_id: userId, linked_to: "", blocked: false, deletes_at: null, password_id, factors_frozen_until } as const;
  if ((await tenant.data.users.update(guard, { set, add: { revision: 1 } })) !== 1) {
    await prepared.rollBack();
    return "lost-race";
  }
  await prepared.complete({ ...user, ...set });
  const notice = await tenant.messages.notifyAccountChange(user, { change: "password", client });
  await tenant.audit({ type: "scp", ...auditClient(client), ...auditConnection(connection), ...auditUser(user), details: notice });
  return "changed";
}
