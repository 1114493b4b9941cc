import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isProvenByOwner, isUnproven } from "../../model/users/email-proof.ts";
import { takeOverAccount } from "./account-access.ts";

type User = Row<"users">;

/** How often a proof is retried after a lost race. */
const tries = 5;

/**
 * Stores that a user received a code at the phone number of an account.
 *
 * A visitor can create an account with a phone number of another user. If another user proves a number that was never
 * proven before:
 *
 * - If the account also signs in with an email address that its owner proved, the account belongs to that owner. The
 * number is removed from the account, and the code does not sign in.
 * - If an administrator vouched for that address, the account stays as it is, and the number becomes verified.
 * - Otherwise the account belongs to the owner of the number from then on, and all other access to it ends ({@link
 * takeOverAccount}). A linked account is unlinked.
 *
 * @param account as it was read for this proof.
 * @param byCreator `true` if the user who submits the code also created the account.
 * @returns the account that the number signs in to; undefined if it signs in to no account.
 */
export async function provePhone(context: DataContext, account: User, byCreator: boolean): Promise<User | undefined> {
  const { data } = context;
  const { user_id: userId, phone_number: number } = account;
  let current: User | undefined = account;
  for (let attempt = 0; attempt < tries; attempt++) {
    if (current === undefined || current.phone_number !== number) return undefined;
    if (current.phone_verified) return current;
    const { linked_to, email, email_verified, password_id } = current;
    const now = context.now();
    const guard = { user_id: userId, linked_to, phone_number: number, phone_verified: false, email, email_verified, password_id };
    const byEmail = current.email_key !== null;
    if (byCreator || (byEmail && !isUnproven(current) && !isProvenByOwner(current))) {
      const set = { phone_verified: true, updated_at: now };
      if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1)
        return { ...current, ...set, revision: current.revision + 1 };
    } else if (byEmail && isProvenByOwner(current)) {
      const set = { phone_number: null, phone_key: null, updated_at: now };
      if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1) return undefined;
    } else {
      await takeOverAccount(context, current, "phone_number", { phone_verified: true });
    }
    [current] = await data.users.find({ where: { user_id: userId }, limit: 1 });
  }
  return undefined;
}
