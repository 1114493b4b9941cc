import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { passwordChanged } from "../actions/password-changed.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { longestHistory, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";
import { endAccess } from "./account-access.ts";
import { findPasswordFault, removeOldPasswords, storePassword } from "./passwords.ts";

type User = Row<"users">;

/** A password that an account which exists is to have. */
export interface PasswordChange {
  readonly connection: Row<"connections">;
  /** Whose password it is: the primary account, or one that is linked to it. */
  readonly account: User;
  /** The account as it will be: what the password may not be made of. */
  readonly owner: PasswordOwner;
  /** The primary account. */
  readonly userId: string;
  readonly password: string;
  /** The session that made the change, where that goes on with its tokens. */
  readonly keepSession?: string | undefined;
}

/** A new password on its way. */
export interface NewPassword {
  readonly kind: "ready";
  /** What the guarded write of the account sets, which decides. */
  readonly set: Pick<User, "password_id" | "last_password_reset">;
  /** To be called after that write. */
  settle(changed: User): Promise<void>;
  /** To be called where that write does not come about. */
  takeBack(): Promise<void>;
}

/** A password that its connection's policy does not allow. Nothing was written. */
export interface RefusedPassword {
  readonly kind: "refused";
  readonly fault: PasswordFault;
}

/**
 * Gets a new password ready: every one of an account that exists comes this way, whoever sets it. It keeps to the policy of its connection, ends the sessions and refresh
 * tokens of the person, and ends a throttling.
 *
 * The sessions end before the write that decides, so that a crash after it leaves none to whoever knew the old password; and after it, for those that were begun meanwhile.
 * A login that is decided later finds another password and fails.
 */
export async function prepareNewPassword(tenant: TenantContext, change: PasswordChange): Promise<NewPassword | RefusedPassword> {
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
    settle: async (changed) => {
      await endSessions();
      await removeOldPasswords(data, changed, longestHistory);
      await clearFailures(data, userId);
      passwordChanged(tenant, connection, changed);
    },
    takeBack: async () => {
      await data.passwords.delete({ id });
    },
  };
}
