import type { Row } from "../../data/schema.ts";
import type { PasswordFault } from "../passwords/policy.ts";
import { unlinkUser } from "./link-users.ts";
import { prepareNewPassword } from "./new-password.ts";
import type { PasswordTenant } from "./passwords.ts";
import { closeOtherWays } from "./prove-email.ts";

type User = Row<"users">;

/** A password that somebody sets who need not know the one before: a link or a code stands in for it. */
export interface PasswordReset {
  /** The account's password database. */
  readonly connection: Row<"connections">;
  /** As it was when the link or code was held against it: the primary account, or one that is linked to it. */
  readonly account: User;
  readonly password: string;
  /** The link or code came back from the mailbox of the account's address, and so proves that. */
  readonly provesEmail: boolean;
}

/** What came of a reset. */
export type PasswordResetOutcome =
  /** The account as it is now. */
  | { readonly kind: "done"; readonly account: User }
  /** The connection's policy does not allow the password. Nothing was changed. */
  | { readonly kind: "refused"; readonly fault: PasswordFault }
  /** The account got another password or address meanwhile, or is gone: of parallel resets one is done. */
  | { readonly kind: "outrun" };

/**
 * Sets the password of somebody who forgot it: sessions and refresh tokens of the person end, a throttling ends, and a mailbox that was proved is verified.
 * The guarded write of the account decides; it rests on the password that the account had, so a link or code need not be used up before it.
 *
 * Whoever proves the mailbox of an account that nobody had proved gets the account alone. What was linked to it is unlinked, and where it is linked itself it stands alone from then on
 * ({@link proveEmail}).
 * @throws {UnavailableError} where the data store does not answer: whether the password was set is not known then.
 */
export async function resetPassword(
  tenant: PasswordTenant,
  { connection, account, password, provesEmail }: PasswordReset,
): Promise<PasswordResetOutcome> {
  const { environment, data } = tenant;
  const { user_id: id, linked_to: linkedTo, email, password_id } = account;
  const userId = linkedTo === "" ? id : linkedTo;
  const prepared = await prepareNewPassword(tenant, { connection, account, owner: account, userId, password });
  if (prepared.kind === "refused") return prepared;

  const takesOver = provesEmail && email !== "" && !account.email_verified;
  if (takesOver && linkedTo !== "") await unlinkUser(environment, data, { user_id: linkedTo }, id);
  if (takesOver) await closeOtherWays(environment, data, account);
  const set = { ...prepared.set, ...(takesOver && { email_verified: true }), updated_at: environment.clock.now() };
  const guard = { user_id: id, linked_to: takesOver ? "" : linkedTo, email, email_verified: account.email_verified, password_id };
  if ((await data.users.update(guard, { set, add: { revision: 1 } })) !== 1) {
    await prepared.takeBack();
    return { kind: "outrun" };
  }
  if (takesOver) await closeOtherWays(environment, data, account);
  const changed = { ...account, ...set, linked_to: guard.linked_to };
  await prepared.settle(changed);
  return { kind: "done", account: changed };
}
