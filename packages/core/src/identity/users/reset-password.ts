import type { TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { auditClient, auditConnection, auditPrimaryUser } from "../../logs/audit.ts";
import type { PasswordFault } from "../passwords/policy.ts";
import { isPasswordFrozen } from "../factors/frozen-factors.ts";
import { consumeTicket, type StoredTicket } from "../tickets/ticket.ts";
import { identifierKinds } from "../login/identifier.ts";
import { isUnproven, isUnprovenSignUp, provenEmail } from "../../model/users/email-proof.ts";
import { takeOverAccount } from "./account-access.ts";
import { prepareNewPassword } from "./new-password.ts";

type User = Row<"users">;

/** A password reset: the user proves access with a link or a code instead of the current password. */
export interface PasswordReset {
  /** The account's password database. */
  readonly connection: Row<"connections">;
  /** The account as it was read when the link or code was checked: a primary account, or one that is linked to it. */
  readonly account: User;
  readonly password: string;
  /** The client that sent the user. */
  readonly client: RegisteredClient | undefined;
  /** The ticket from the link, if the user opened a link. It is marked as used after the password was set. */
  readonly ticket?: StoredTicket | undefined;
  /**
   * How the link or code proves the account's email address. `mailbox`: it was sent to the email address only.
   * `administrator`: a caller of the Management API received it and states that it proves the email address. Left out:
   * it proves no email address.
   */
  readonly provesEmail?: "mailbox" | "administrator" | undefined;
  /**
   * Whether the user passed a second factor as well, or is known to have created the account. Otherwise the password counts
   * as set through the account's mailbox.
   */
  readonly isConfirmed: boolean;
}

/** The outcome of a password reset. */
export type PasswordResetOutcome =
  /** The current account. */
  | { readonly kind: "done"; readonly account: User }
  /** The connection's policy does not allow the password. Nothing was changed. */
  | { readonly kind: "refused"; readonly fault: PasswordFault }
  /** The user reported a change of an address, so that no password can be set for 24 hours. Nothing was changed. */
  | { readonly kind: "frozen" }
  /**
   * The account got another password or email address in the meantime, or was deleted. Of parallel resets, one
   * succeeds.
   */
  | { readonly kind: "lost-race" };

/**
 * Sets the password of a user who forgot it, and writes the audit event. Revokes the user's sessions and refresh
 * tokens, clears failed login attempts, and marks a proven email address as verified.
 *
 * The password is set by a conditional write, which requires that the account still has its former password. If the
 * process crashes before it marks the ticket as used, the ticket is void all the same, because the password has
 * changed.
 *
 * If the email address was never proven before, the account belongs to the user who proves it now. All other access to
 * the account ends, and a linked account is unlinked ({@link takeOverAccount}). A user who has passed a factor of the
 * account is its user already, unless the factor may belong to another visitor ({@link isUnprovenSignUp}).
 * @throws {UnavailableError} if the data store does not respond. It is then unknown whether the password was set.
 */
export async function resetPassword(tenant: TenantContext, reset: PasswordReset): Promise<PasswordResetOutcome> {
  const { connection, account, password, client, ticket, provesEmail, isConfirmed } = reset;
  const { data } = tenant;
  const { user_id: id, linked_to: linkedTo, email, password_id } = account;
  const userId = linkedTo === "" ? id : linkedTo;
  const primary = linkedTo === "" ? account : await findOne(data.users, { user_id: linkedTo });
  if (primary !== undefined && isPasswordFrozen(tenant, primary)) return { kind: "frozen" };
  const prepared = await prepareNewPassword(tenant, {
    connection,
    account,
    owner: account,
    userId,
    password,
    setThrough: isConfirmed || email === "" ? null : email,
  });
  if (prepared.kind === "refused") return prepared;

  const proves = provesEmail !== undefined && email !== "";
  const taken = isUnproven(account);
  const proof = proves && (taken || provesEmail === "mailbox") ? provenEmail(email, provesEmail) : {};
  const isOwner = isConfirmed && !isUnprovenSignUp(account);
  const takesOver = proves && taken && !isOwner;
  const set = { ...prepared.set, ...proof, updated_at: tenant.now() };
  const { email_verified, password_frozen_until } = account;
  const guard = { user_id: id, linked_to: linkedTo, email, email_verified, password_id, password_frozen_until };
  // If users of the connection sign in only with usernames, the account keeps its username, because the owner could not
  // sign in without it.
  const { username, username_key } = account;
  const named = identifierKinds(connection).includes("email") ? {} : { username, username_key };
  const done = takesOver
    ? await takeOverAccount(tenant, account, "email", { ...set, ...named })
    : (await data.users.update(guard, { set, add: { revision: 1 } })) === 1;
  if (!done) {
    await prepared.rollBack();
    return { kind: "lost-race" };
  }
  const stored = takesOver ? await findOne(data.users, { user_id: id }) : undefined;
  const changed = stored ?? { ...account, ...set };
  await Promise.all([
    prepared.complete(changed),
    ticket && consumeTicket(tenant, ticket),
    tenant.audit({ type: "scp", ...auditClient(client), ...auditConnection(connection), ...auditPrimaryUser(changed) }),
  ]);
  return { kind: "done", account: changed };
}
