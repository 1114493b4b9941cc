import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, type PosternError } from "../../errors.ts";
import { registrationAt } from "../actions/registration.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { limitOneTimeCode } from "../attack-protection/rate-limit.ts";
import { auditClient, auditConnection, auditUser, auditVisitor } from "../../logs/audit.ts";
import { findCode, useCode, type CodeGuess, type OneTimeCode } from "../one-time-codes/one-time-code.ts";
import { createUser } from "../users/create-user.ts";
import { proveEmailOf } from "../users/prove-email.ts";
import { provePhone } from "../users/prove-phone.ts";
import { codesCreateAccounts, findCodeAccount, type CodeAddress } from "./code-address.ts";
import { findKnownUserId } from "./known-browser.ts";
import { decideSignIn, type SignInResult, type SignInAttempt } from "./sign-in.ts";

/** A code that a user submits. */
export interface SubmittedCode {
  /** The email address or phone number that the code was sent to. */
  readonly address: CodeAddress;
  /** The code as typed. */
  readonly code: string;
  /** The key of the link that was opened, if one was. */
  readonly linkKey?: string | undefined;
  /**
   * The marks of users that the browser has signed in to, from its cookie. Default: none, as for requests without a
   * browser.
   */
  readonly marks?: readonly string[];
  /** The login session that requested the code. Left out: `/passwordless/start` did. */
  readonly loginId?: string | undefined;
}

/** A sign-in with a one-time code. */
interface CodeAttempt<Started> extends SignInAttempt<Started>, SubmittedCode {}

/** Why a code did not sign in. */
export type CodeRefusal =
  /** Wrong, expired, used, or sent to another client, connection or login. */
  | { readonly kind: "wrong-code" }
  /** The code is right, and an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /** The code is right, no account has the address, and an Action of the host denied a new one. */
  | { readonly kind: "no-account"; readonly message: string }
  /** Too many attempts for the address. */
  | { readonly kind: "refused"; readonly error: PosternError };

/** A user who is signed in by a code. */
interface CodeSignInResult<Started> extends SignInResult<Started> {
  /** The code that was used, with the request that it belongs to. */
  readonly code: OneTimeCode;
}

/**
 * Signs a user in with a one-time code (spec sections 4.3 and 8), and writes the result to the audit log. A rejection
 * is in the log when this returns. Marking the code as used decides the sign-in. Everything else follows, so that a
 * crash loses only the code.
 *
 * A code proves the address or number that it was sent to. An account whose address or number was never proven belongs
 * to the owner from then on, and all other access to it ends ({@link proveEmailOf}, {@link provePhone}). At a
 * connection that creates accounts by codes, the first code creates one.
 */
export async function signInWithCode<Started>(
  tenant: TenantContext,
  attempt: CodeAttempt<Started>,
): Promise<CodeSignInResult<Started> | CodeRefusal> {
  const { data } = tenant;
  const { client, connection, address } = attempt;
  const refusal = await limitOneTimeCode(tenant, client, address.text);
  const audit = (type: "s" | "f" | "fp", user: Row<"users"> | undefined, description?: string): Promise<void> =>
    tenant.audit({
      type,
      ...(description !== undefined && { description }),
      ...auditClient(client),
      ...auditConnection(connection),
      ...(user === undefined ? auditVisitor(address.text) : auditUser(user)),
    });

  const accountFound = findCodeAccount(data, connection, address);
  const guess: CodeGuess = {
    purpose: "login",
    connectionId: connection.id,
    channel: address.channel,
    identifier: address.text,
    clientId: client.record.client_id,
    loginId: attempt.loginId,
    ip: tenant.requestInfo.ip,
    typed: attempt.code,
    linkKey: attempt.linkKey,
    limited: refusal !== undefined,
    findKnownUserId: async () => findKnownUserId(tenant, attempt.marks ?? [], await accountFound),
  };
  const [code, known] = await Promise.all([findCode(tenant, guess), accountFound]);
  const wrong = async (): Promise<CodeRefusal> => {
    await audit("fp", known, "Wrong one-time code.");
    return { kind: "wrong-code" };
  };
  // Other users can exhaust the limit, which counts by destination. A correct code within the tries of its own login
  // session or client address still signs in.
  if (code === undefined && refusal !== undefined) return { kind: "refused", error: refusal };
  if (code === undefined || !(await useCode(tenant, code))) return wrong();

  const account = await ownedAccount(tenant, attempt, known);
  if (account !== undefined && "denied" in account) return { kind: "no-account", message: account.denied };
  const linked = account !== undefined && account.linked_to !== "";
  const [primary] = linked ? await data.users.find({ where: { user_id: account.linked_to }, limit: 1 }) : [account];
  if (account === undefined || primary === undefined) return wrong();
  const signedIn =
    primary.blocked || account.blocked
      ? undefined
      : await decideSignIn(tenant, attempt.session, { primary, account }, () => [clearFailures(data, primary.user_id)]);
  if (signedIn === undefined) {
    await audit("f", primary, "The user is blocked.");
    return { kind: "blocked" };
  }
  return { kind: "signed-in", ...signedIn, code, recorded: audit("s", signedIn.user) };
}

/**
 * Returns the account that belongs to the owner of the address or number after the code verifiedFields it, or a new one.
 * Undefined if the code signs in to no account.
 */
async function ownedAccount(
  tenant: TenantContext,
  { client, connection, address }: Pick<CodeAttempt<unknown>, "client" | "connection" | "address">,
  known: Row<"users"> | undefined,
): Promise<Row<"users"> | { readonly denied: string } | undefined> {
  const { channel, text } = address;
  if (known === undefined) {
    if (!codesCreateAccounts(connection)) return undefined;
    const verifiedFields = channel === "email" ? { email: text, email_verified: true } : { phone_number: text, phone_verified: true };
    const registration = registrationAt(tenant, client, connection);
    const decision = await registration.before(channel === "email" ? { email: text } : { phone_number: text });
    if (decision.kind === "denied") return { denied: decision.message };
    const { kind: _, ...metadata } = decision;
    try {
      const account = await createUser(tenant, connection, { connection: connection.name, ...verifiedFields, ...metadata }, "mailbox");
      registration.after(account);
      return account;
    } catch (error) {
      // Another code of the same user created the account at the same time.
      if (!isPosternError(error) || error.code !== "conflict") throw error;
      return findCodeAccount(tenant.data, connection, address);
    }
  }
  if (channel === "sms") return provePhone(tenant, known, false);
  const proof = { byCreator: false };
  // If the account changed since it was read, the address is proven once more.
  const proven = await proveEmailOf(tenant, known, proof);
  if (proven !== undefined) return proven;
  const again = await findCodeAccount(tenant.data, connection, address);
  return again && proveEmailOf(tenant, again, proof);
}
