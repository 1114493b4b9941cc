import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { emailProofOf, isUnproven, provenEmail, unprovenEmail, type EmailProofKind } from "../../model/users/email-proof.ts";
import { takeOverAccount } from "./account-access.ts";
import { needsFactorToClaim } from "./claimed-account.ts";

type User = Row<"users">;

/** A proof that a user owns the email address of an account. */
interface EmailProof {
  /** The primary account. */
  readonly userId: string;
  /** The proven email address. */
  readonly email: string;
  /**
   * How the email address was proven. Default: `mailbox`, which means that the user returned a code or opened a link
   * that was sent to it.
   */
  readonly kind?: EmailProofKind;
  /**
   * Whether the user who submits the proof also created the account, because the user is signed in to the account, has
   * confirmed it, or has passed one of its factors.
   */
  readonly byCreator: boolean;
}

/** An account whose email address may be unproven, and that email address. */
type Unproven = Pick<EmailProof, "userId" | "email">;

/** How often the proof is written again after a lost race. */
const tries = 5;

/**
 * Stores that the email address of an account was proven. For a statement by an administrator, use `updateUser`
 * instead.
 *
 * A visitor can create an account with another user's email address. If the other user proves the email address, and it
 * was never proven before, the account belongs to that user from then on, and all other access to it ends ({@link
 * takeOverAccount}). If an administrator stated that the email address is verified, only the stored proof changes.
 *
 * @returns `true` if the email address is verified now; `false` if the account has another email address, is linked or
 * does not exist, or if the user must pass a factor of the account first ({@link needsFactorToClaim}).
 */
export async function proveEmail(context: DataContext, proof: EmailProof): Promise<boolean> {
  const { userId, email, kind = "mailbox", byCreator } = proof;
  for (let attempt = 0; attempt < tries; attempt++) {
    const user = await findPrimary(context.data, { userId, email });
    if (user === undefined) return false;
    const proven = await proveEmailOf(context, user, { kind, byCreator });
    if (proven !== undefined) return proven !== "factor-required";
  }
  return false;
}

/**
 * Stores that the email address of an account was proven, like {@link proveEmail}. The account may be a linked account.
 * If its email address was never proven, the account is unlinked, because the proof applies to that account and not to
 * its primary account.
 *
 * @param account the account as it was read for this proof.
 * @returns the current account; undefined if it changed since it was read; `factor-required`, without a change, if the
 * user must pass a factor of the account first ({@link needsFactorToClaim}).
 */
export async function proveEmailOf(
  context: DataContext,
  account: User,
  { kind = "mailbox", byCreator }: Pick<EmailProof, "kind" | "byCreator">,
): Promise<User | "factor-required" | undefined> {
  const { user_id: userId, linked_to, email, email_verified, password_id } = account;
  const stored = emailProofOf(account);
  const keepsProof = stored === "mailbox" || stored === kind || (kind !== "mailbox" && !isUnproven(account));
  if (keepsProof) return account;
  const set = provenEmail(email, kind);
  if (isUnproven(account) && !byCreator) {
    if (await needsFactorToClaim(context.data, account)) return "factor-required";
    if (!(await takeOverAccount(context, account, "email", set))) return undefined;
    const taken = await findOne(context.data.users, { user_id: userId });
    return taken;
  }
  const change = { ...set, updated_at: context.now() };
  const guard = { user_id: userId, linked_to, email, email_verified, password_id };
  const changed = await context.data.users.update(guard, { set: change, add: { revision: 1 } });
  return changed === 1 ? { ...account, ...change, revision: account.revision + 1 } : undefined;
}

/**
 * Ends all access to an account with an unproven email address, because the owner of the email address states that
 * another user created the account. The email address stays unverified. Its owner can set a password with a link that
 * is sent to it.
 * @returns `factor-required`, without a change, if the account has a factor that protects it from the owner of the email
 * address ({@link needsFactorToClaim}); `unchanged` if the account has another or a verified email address, is linked or
 * does not exist.
 */
export async function disownAccount(context: DataContext, account: Unproven): Promise<"disowned" | "factor-required" | "unchanged"> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const user = await findPrimary(context.data, account);
    if (user === undefined || !isUnproven(user)) return "unchanged";
    if (await needsFactorToClaim(context.data, user)) return "factor-required";
    if (await takeOverAccount(context, user, "email", unprovenEmail)) return "disowned";
  }
  return "unchanged";
}

async function findPrimary(data: TenantData, { userId, email }: Unproven): Promise<User | undefined> {
  const user = await findOne(data.users, { user_id: userId, linked_to: "" });
  return user?.email.toLowerCase() === email.toLowerCase() ? user : undefined;
}
