import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { runPasswordChanged } from "../actions/password-changed.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { maximumHistory, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";
import { endAccess } from "./account-access.ts";
import { findPasswordFault, removeOldPasswords, storePassword } from "./passwords.ts";

type User = Row<"users">;

/** A new password for an existing account. */
export interface PasswordChange {
  readonly connection: Row<"connections">;
  /** The account of the password: the primary account, or one that is linked to it. */
  readonly account: User;
  /** The account after the change: the password policy compares the password with its data. */
  readonly owner: PasswordOwner;
  /** The primary account. */
  readonly userId: string;
  readonly password: string;
  /** The session that made the change, if it stays active with its tokens. */
  readonly keepSession?: string | undefined;
}

/** A new password that is stored but not active yet. */
export interface NewPassword {
  readonly kind: "ready";
  /** The columns that the guarded write of the account must set. That write decides. */
  readonly set: Pick<User, "password_id" | "last_password_reset">;
  /** Call it after that write. */
  complete(changed: User): Promise<void>;
  /** Call it if that write fails or does not happen. */
  rollBack(): Promise<void>;
}

/** A password that its connection's policy does not allow. Nothing was written. */
export interface PasswordRejection {
  readonly kind: "refused";
  readonly fault: PasswordFault;
}

/**
 * Prepares a new password for an existing account. Every password change goes through this function. It applies the
 * policy of the connection, revokes the user's sessions and refresh tokens, and clears failed login attempts.
 *
 * Sessions are revoked before the write that decides, so that a crash after it leaves no session to a user who knew the
 * old password. They are revoked again afterwards, for sessions that started in between. A login that is decided later
 * reads another password and fails.
 */
export async function prepareNewPassword(tenant: TenantContext, change: PasswordChange): Promise<NewPassword | PasswordRejection> {
  const { data } = tenant;
  const { connection, account, owner, userId, password, keepSession } = change;
  const fault = await findPasswordFault(tenant, connection, password, owner, account);
  if (fault !== undefined) return { kind: "refused", fault };
  const id = await storePassword(tenant, account.user_id, password);
  const endSessions = (): Promise<void> => endAccess(tenant, { event: "new-password", userId, keepSession });
  await endSessions();
  return {
    kind: "ready",
    set: { password_id: id, last_password_reset: tenant.now() },
    complete: async (changed) => {
      await endSessions();
      await removeOldPasswords(data, changed, maximumHistory);
      await clearFailures(data, userId);
      runPasswordChanged(tenant, connection, changed);
    },
    rollBack: async () => {
      await data.passwords.delete({ id });
    },
  };
}
