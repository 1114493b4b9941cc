import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { runPasswordChanged } from "../actions/password-changed.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { maximumHistory, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";
import { endAccess } from "./account-access.ts";
import { findPasswordFault, removeOldPasswords, storePassword } from "./passwords.ts";

type User = Row<"users">;

/** A new password for an existing account. */
interface PasswordChange {
  readonly connection: Row<"connections">;
  /** The account that gets the password: the primary account, or one that is linked to it. */
  readonly account: User;
  /** The account after the change: the password policy compares the password with its data. */
  readonly owner: PasswordOwner;
  /** The primary account. */
  readonly userId: string;
  readonly password: string;
  /** The email address through which the password is set, see {@link storePassword}. Default: none. */
  readonly setThrough?: string | null;
  /** The session that made the change, if it stays active with its tokens. */
  readonly keepSession?: string | undefined;
}

/** A new password that is stored but not active yet. */
export interface NewPassword {
  readonly kind: "ready";
  /**
   * The columns that the caller must set in a conditional write of the account. The new password is active if this
   * write succeeds.
   */
  readonly set: Pick<User, "password_id" | "last_password_reset">;
  /** Completes the change. Call this function after the write succeeded. */
  complete(changed: User): Promise<void>;
  /** Deletes the stored password. Call this function if the write failed or was not sent. */
  rollBack(): Promise<void>;
}

/** The password is not allowed. Nothing was written. */
interface PasswordRejection {
  readonly kind: "refused";
  readonly fault: PasswordFault;
}

/**
 * Prepares a new password for an existing account. Every password change goes through this function. It checks the
 * password against the policy of the connection, revokes the user's sessions and refresh tokens, and clears failed
 * login attempts.
 *
 * Sessions are revoked before the caller activates the password, so that a crash after that leaves no session of a user
 * who knew the old password. They are revoked again afterwards, because sessions may have started in between. A login
 * with the old password that has not been decided by then fails.
 */
export async function prepareNewPassword(tenant: TenantContext, change: PasswordChange): Promise<NewPassword | PasswordRejection> {
  const { data } = tenant;
  const { connection, account, owner, userId, password, setThrough = null, keepSession } = change;
  const fault = await findPasswordFault(tenant, connection, password, owner, account);
  if (fault !== undefined) return { kind: "refused", fault };
  const id = await storePassword(tenant, account.user_id, password, setThrough);
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
