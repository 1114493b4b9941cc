import type { TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, type PosternError } from "../../errors.ts";
import { registrationAt } from "../actions/registration.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { limitOneTimeCode } from "../attack-protection/rate-limit.ts";
import { auditClient, auditConnection, auditUser, auditVisitor } from "../../logs/audit.ts";
import { findCode, takeCode, type CodeGuess, type OneTimeCode } from "../one-time-codes/one-time-code.ts";
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
  /** The key in the link that the user opened, if the user opened a link. */
  readonly linkKey?: string | undefined;
  /**
   * The marks in the browser's cookie, which identify users that have signed in with the browser. Default: none, as for
   * requests without a browser.
   */
  readonly marks?: readonly string[];
  /** The login session that requested the code. Left out: the code was requested at `/passwordless/start`. */
  readonly loginId?: string | undefined;
  /** Identifies the submitted form and its values. If it is submitted again, its code is accepted again. */
  readonly form?: string | undefined;
  /**
   * Whether another submission of the form was accepted and has a result, which the caller repeats. Called if the form has
   * used the code before. Default: no, so the sign-in is completed here.
   */
  wasAccepted?(): Promise<boolean>;
}

/** A condition of a sign-in with a code. */
interface CodeCondition {
  /**
   * Whether the sign-in can be completed here. If not, the code stays valid. It is called after the code was compared.
   * @param accounts the account that the code belongs to, and its primary account. Undefined if the code creates the account.
   */
  readonly canComplete: (accounts: { readonly primary: Row<"users">; readonly account: Row<"users"> } | undefined) => Promise<boolean>;
}

/** The code is correct and stays valid, because of the {@link CodeCondition}. */
interface UnusedCode {
  readonly kind: "unused";
}

/** A sign-in with a one-time code. */
interface CodeAttempt<Started> extends SignInAttempt<Started>, SubmittedCode {}

/** Why a sign-in with a code was rejected. */
export type CodeRefusal =
  /**
   * The code is wrong, expired or used; or was requested by another client, connection or login session; or signs in to
   * no account.
   */
  | { readonly kind: "wrong-code" }
  /** Another submission of the form used the code and was accepted. The caller repeats its result. */
  | { readonly kind: "repeated" }
  /** The code is correct, but an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /**
   * The code is correct, but no account has the email address or phone number, and an action of the host denied a new
   * account.
   */
  | { readonly kind: "no-account"; readonly message: string }
  /** Too many attempts for the email address or phone number. */
  | { readonly kind: "refused"; readonly error: PosternError };

/** The result of a sign-in with a code. */
interface CodeSignInResult<Started> extends SignInResult<Started> {
  /** The row of the code that was used. Its `request` contains the data that was stored when the code was requested. */
  readonly code: OneTimeCode;
}

/**
 * Signs a user in with a one-time code, and writes the result to the audit log. A rejection
 * is in the audit log when this function returns. The code is marked as used before the account changes; of parallel
 * requests with the same code, only one continues. If the process crashes after that, the user needs a new code.
 *
 * A code proves that the user owns the email address or phone number that it was sent to. If that identifier of the
 * account was never proven before, the account belongs to the user from then on, and all other access to it ends
 * ({@link proveEmailOf}, {@link provePhone}). If the user must pass a factor of the account first, the identifier stays
 * unproven until then: `session` requires the factor. In a connection that creates accounts by codes, the first sign-in creates
 * the account.
 */
export async function signInWithCode<Started>(
  tenant: TenantContext,
  attempt: CodeAttempt<Started> & CodeCondition,
): Promise<CodeSignInResult<Started> | CodeRefusal | UnusedCode>;
export async function signInWithCode<Started>(
  tenant: TenantContext,
  attempt: CodeAttempt<Started>,
): Promise<CodeSignInResult<Started> | CodeRefusal>;
export async function signInWithCode<Started>(
  tenant: TenantContext,
  attempt: CodeAttempt<Started> & Partial<CodeCondition>,
): Promise<CodeSignInResult<Started> | CodeRefusal | UnusedCode> {
  const { data } = tenant;
  const { client, connection, address } = attempt;
  const refusal = await limitOneTimeCode(tenant, client, address.text);
  if (refusal !== undefined) return { kind: "refused", error: refusal };
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
    findKnownUserId: async () => findKnownUserId(tenant, attempt.marks ?? [], await accountFound),
  };
  const [found, known] = await Promise.all([findCode(tenant, guess), accountFound]);
  const wrong = async (): Promise<CodeRefusal> => {
    await audit("fp", known, "Wrong one-time code.");
    return { kind: "wrong-code" };
  };
  if (found !== undefined && attempt.canComplete !== undefined) {
    const primary = await primaryOf(tenant, known);
    const accounts = known === undefined || primary === undefined ? undefined : { primary, account: known };
    if (!(await attempt.canComplete(accounts))) return { kind: "unused" };
  }
  const taken = await takeCode(tenant, found, guess, attempt.form);
  if (taken === undefined) return wrong();
  if (taken.isRepeated && (await attempt.wasAccepted?.()) === true) return { kind: "repeated" };

  const account = await ownedAccount(tenant, attempt, known);
  if (account !== undefined && "denied" in account) return { kind: "no-account", message: account.denied };
  const primary = await primaryOf(tenant, account);
  if (account === undefined || primary === undefined) return wrong();
  const signedIn =
    primary.blocked || account.blocked
      ? undefined
      : await decideSignIn(
          tenant,
          attempt.session,
          { primary, account, channels: [attempt.address.text] },
          () => [clearFailures(data, primary.user_id)],
          (user) => audit("s", user),
        );
  if (signedIn === undefined) {
    await audit("f", primary, "The user is blocked.");
    return { kind: "blocked" };
  }
  return { kind: "signed-in", ...signedIn, code: taken.code };
}

/** Returns the primary account of an account. */
async function primaryOf({ data }: TenantContext, account: Row<"users"> | undefined): Promise<Row<"users"> | undefined> {
  if (account === undefined || account.linked_to === "") return account;
  const primary = await findOne(data.users, { user_id: account.linked_to });
  return primary;
}

/**
 * Returns the account that the owner of the email address or phone number signs in to, or creates one. Stores that the
 * code proved the identifier, unless the user must pass a factor first. Undefined if the code signs in to no account.
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
      // A parallel sign-in with another code created the account first.
      if (!isPosternError(error) || error.code !== "conflict") throw error;
      return findCodeAccount(tenant.data, connection, address);
    }
  }
  const prove = async (account: Row<"users">): Promise<Row<"users"> | undefined> => {
    const proven = await (channel === "sms" ? provePhone(tenant, account, false) : proveEmailOf(tenant, account, { byCreator: false }));
    return proven === "factor-required" ? account : proven;
  };
  const proven = await prove(known);
  if (proven !== undefined || channel === "sms") return proven;
  // The account changed since it was read.
  const again = await findCodeAccount(tenant.data, connection, address);
  return again && prove(again);
}
