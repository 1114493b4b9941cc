import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { isProvenByOwner, isUnproven, provenSignUp } from "../../model/users/email-proof.ts";
import { takeOverAccount } from "./account-access.ts";
import { needsFactorToClaim } from "./claimed-account.ts";

type User = Row<"users">;

/** How often the proof is written again after a lost race. */
const tries = 5;

/**
 * Stores that a user received a code at the phone number of an account.
 *
 * A visitor can create an account with another user's phone number. If the other user proves the phone number, and it
 * was never proven before:
 *
 * - If the account has an email address to sign in with that its owner proved, the account belongs to that owner. The
 * phone number is removed from the account, and the user with the code is not signed in.
 * - If an administrator stated that this email address is verified, the access to the account does not change, and the
 * phone number becomes verified.
 * - Otherwise, if the account has a second factor, the user must pass it first ({@link needsFactorToClaim}).
 * - Otherwise the account belongs to the owner of the phone number from then on, and all other access to it ends
 * ({@link takeOverAccount}). A linked account is unlinked.
 *
 * @param account the account as it was read for this proof.
 * @param byCreator whether the user who submits the code also created the account, or has passed one of its factors.
 * @returns the account to sign in to with the phone number; undefined if there is none; `factor-required`, without a
 * change, if the user must pass a factor of the account first.
 */
export async function provePhone(context: DataContext, account: User, byCreator: boolean): Promise<User | "factor-required" | undefined> {
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
      const set = { phone_verified: true, ...provenSignUp, updated_at: now };
      if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1)
        return { ...current, ...set, revision: current.revision + 1 };
    } else if (byEmail && isProvenByOwner(current)) {
      const set = { phone_number: null, phone_key: null, updated_at: now };
      if ((await data.users.update(guard, { set, add: { revision: 1 } })) === 1) return undefined;
    } else {
      if (await needsFactorToClaim(data, current)) return "factor-required";
      await takeOverAccount(context, current, "phone_number", { phone_verified: true, ...provenSignUp });
    }
    current = await findOne(data.users, { user_id: userId });
  }
  return undefined;
}
