import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { Environment } from "../environment.ts";
import { revokeSessionsOfUser } from "../sessions/revoke-all.ts";
import { isAlive } from "../sessions/session.ts";
import { unlinkUser } from "./link-users.ts";
import { linkedAccounts } from "./linked-accounts.ts";

type User = Row<"users">;

/** A proof that somebody reads the mail of an account: a code or a link that was sent to its address came back. */
export interface EmailProof {
  /** The primary account. */
  readonly userId: string;
  /** The address that the proof was sent to. */
  readonly email: string;
  /** The session of who brought it back; left out where they were not signed in. */
  readonly sessionId?: string;
}

/** How often a proof is tried against changes that others make meanwhile. */
const tries = 5;

/**
 * Makes the address of an account a verified one: every proof of a mailbox comes this way. What an administrator says of an address is a change of the user, and no proof.
 *
 * An account can be made on an address that nobody has proved: by an invitation, whose ticket whoever made it knows as well. Whoever chose its password owns the mailbox only where they
 * bring the proof themselves, signed in by that account. Where somebody else brings it, the account is theirs from then on, and whatever else leads into it ends:
 * the password, the accounts that were linked to it, the sessions and refresh tokens. They set a password of their own.
 *
 * @returns whether the address is verified now; false where the account has another one, or is gone.
 */
export async function proveEmail(environment: Environment, data: TenantData, proof: EmailProof): Promise<boolean> {
  const { userId, email } = proof;
  for (let attempt = 0; attempt < tries; attempt++) {
    const [user] = await data.users.find({ where: { user_id: userId, linked_to: "" }, limit: 1 });
    if (user === undefined || user.email.toLowerCase() !== email.toLowerCase()) return false;
    if (user.email_verified) return true;

    const byItsMaker = await isSignedIn(environment, data, proof);
    // Before the write that decides, so that a crash after it leaves no other way in; and after it, for what was begun meanwhile.
    if (!byItsMaker) await closeOtherWays(environment, data, user);
    const set = { email_verified: true, ...(!byItsMaker && { password_id: null }), updated_at: environment.clock.now() };
    // What the proof rests on, and not the revision (`changeRow`): that of the account rises with each account that was unlinked from it above.
    const guard = { user_id: userId, linked_to: "", email: user.email, email_verified: false, password_id: user.password_id };
    if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1) {
      if (!byItsMaker) await closeOtherWays(environment, data, user);
      return true;
    }
  }
  return false;
}

/** Whether who brings the proof is signed in by the account itself. */
async function isSignedIn({ clock }: Environment, data: TenantData, { userId, sessionId }: EmailProof): Promise<boolean> {
  if (sessionId === undefined) return false;
  const [session] = await data.sessions.find({ where: { id: sessionId, user_id: userId, account_id: userId }, limit: 1 });
  return session !== undefined && isAlive(session, clock.now());
}

async function closeOtherWays(environment: Environment, data: TenantData, user: User): Promise<void> {
  await revokeSessionsOfUser(environment, data, user.user_id);
  for (const account of await linkedAccounts(data, [user.user_id])) await unlinkUser(environment, data, user, account.user_id);
}
