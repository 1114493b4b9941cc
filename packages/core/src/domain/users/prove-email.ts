import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { Environment } from "../environment.ts";
import { revokeSessionsOfUser } from "../sessions/revoke-all.ts";
import { unlinkUser } from "./link-users.ts";
import { linkedAccounts } from "./linked-accounts.ts";

type User = Row<"users">;

/** A proof that somebody reads the mail of an account: a code or a link that was sent to its address came back. */
export interface EmailProof {
  /** The primary account. */
  readonly userId: string;
  /** The address that the proof was sent to. */
  readonly email: string;
  /** Who brings it back made the account: they are signed in by it, or were asked and say so. */
  readonly byMaker: boolean;
}

/** An account that may be on an address which nobody has proved. */
type Unproven = Pick<EmailProof, "userId" | "email">;

/** How often a proof is tried against changes that others make meanwhile. */
const tries = 5;

/**
 * Makes the address of an account a verified one: every proof of a mailbox comes this way. What an administrator says of an address is a change of the user, and no proof.
 *
 * An account can be made on an address that nobody has proved. Whoever chose its password owns the mailbox only where they bring the proof themselves. Where somebody else brings it,
 * the account is theirs from then on, and whatever else leads into it ends: the password, the accounts that were linked to it, the sessions and refresh tokens. They set a password of their own.
 *
 * @returns whether the address is verified now; false where the account has another one, or is gone.
 */
export async function proveEmail(environment: Environment, data: TenantData, { byMaker, ...account }: EmailProof): Promise<boolean> {
  const set = { email_verified: true, ...(!byMaker && { password_id: null }) };
  return (await changeUnproven(environment, data, account, set, byMaker)) !== "gone";
}

/**
 * Ends what leads into an account that nobody has proved, because the owner of its address did not make it: password, linked accounts, sessions and refresh tokens.
 * It stays unverified; whoever owns the address can set a password by a link.
 * @returns false, and nothing was changed, where the account has another address or is gone, or its address is verified.
 */
export async function disownAccount(environment: Environment, data: TenantData, account: Unproven): Promise<boolean> {
  return (await changeUnproven(environment, data, account, { password_id: null }, false)) === "changed";
}

/** Changes an account whose address nobody has proved, for as long as what the change rests on holds. */
async function changeUnproven(
  environment: Environment,
  data: TenantData,
  { userId, email }: Unproven,
  change: Partial<User>,
  keepsOtherWays: boolean,
): Promise<"changed" | "verified" | "gone"> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const [user] = await data.users.find({ where: { user_id: userId, linked_to: "" }, limit: 1 });
    if (user === undefined || user.email.toLowerCase() !== email.toLowerCase()) return "gone";
    if (user.email_verified) return "verified";

    // Before the write that decides, so that a crash after it leaves no other way in; and after it, for what was begun meanwhile.
    if (!keepsOtherWays) await closeOtherWays(environment, data, user);
    const set = { ...change, updated_at: environment.clock.now() };
    // What the change rests on, and not the revision (`changeRow`): that of the account rises with each account that was unlinked from it above.
    const guard = { user_id: userId, linked_to: "", email: user.email, email_verified: false, password_id: user.password_id };
    if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1) {
      if (!keepsOtherWays) await closeOtherWays(environment, data, user);
      return "changed";
    }
  }
  return "gone";
}

/** Ends every way into an account but its own password. Repeatable. */
export async function closeOtherWays(environment: Environment, data: TenantData, user: Pick<User, "user_id">): Promise<void> {
  await revokeSessionsOfUser(environment, data, user.user_id);
  for (const account of await linkedAccounts(data, [user.user_id])) await unlinkUser(environment, data, user, account.user_id);
}
