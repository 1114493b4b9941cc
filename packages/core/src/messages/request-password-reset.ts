import { auditClient, auditConnection, auditPrimaryUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { isPosternError, type PosternError } from "../errors.ts";
import { findKnownUserId } from "../identity/login/known-browser.ts";
import { readIdentifier } from "../identity/login/identifier.ts";
import { admitMessage } from "../identity/one-time-codes/destination-budget.ts";
import { createCode } from "../identity/one-time-codes/one-time-code.ts";
import { maySetPasswords } from "../identity/passwords/self-service.ts";
import { findOrImport } from "../identity/users/import-from-source.ts";
import { defaultCodeLifetime } from "../model/connections/strategies/code-strength.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { limitMessageWithoutCode, limitMessages } from "./message-limits.ts";
import { createResetLink, type LinkSubject } from "./links.ts";
import { resetPasswordMail } from "./mails/reset-password.ts";
import { sendMail } from "./send.ts";

/** A visitor's request for a new password. */
export interface PasswordResetRequest extends LinkSubject {
  /** The password database; undefined if the client has none. */
  readonly connection: Row<"connections"> | undefined;
  /** An email address, a username or a phone number, as typed. */
  readonly identifier: string;
  /** The marks of users that the browser has signed in to, from its cookie. */
  readonly marks: readonly string[];
  /** Adds a code to the mail. Default: the mail contains only a link. */
  readonly code?: ResetCode;
}

/** The code of a reset mail. */
export interface ResetCode {
  /** The login session that the code is valid in. */
  readonly loginId: string;
  /** Identifies the form that requests the mail: however often it is submitted, one mail is sent. */
  readonly form: string | undefined;
}

/** An address that mail does not reach (RFC 2606). */
const unreachable = "unreachable@example.invalid";

/**
 * Sends a mail with which a user sets a new password, and writes the audit event.
 *
 * Does not reveal whether an account has the identifier. Without an account, and for a connection whose users may not
 * set passwords themselves, every step runs except the delivery. An account receives at most five links without a code
 * per hour, in addition to the limits of all messages.
 *
 * @returns the error if a limit is exceeded. Respond with it only if the request has a `code`: its limits count what
 * was typed. The limits of a link count the address of the account, so the error would reveal whether it exists.
 */
export async function requestPasswordReset(tenant: Tenant, request: PasswordResetRequest): Promise<PosternError | undefined> {
  const { connection, client, organization, uiLocales } = request;
  const identifier = connection && readIdentifier(connection, request.identifier);
  const found = connection && identifier && (await findOrImport(tenant, { connection, identifier }));
  const account = connection !== undefined && maySetPasswords(connection) && found?.email !== "" ? found : undefined;
  const knownUserId = await findKnownUserId(tenant, request.marks, account);
  const counted: CountedReset = { request, typed: identifier?.text ?? "", account, knownUserId };
  const admission = await (request.code === undefined ? admitLink(tenant, counted) : admitCode(tenant, counted, request.code));
  if (admission.kind === "repeated") return undefined;

  const recipient = admission.kind === "admitted" ? admission.recipient : undefined;
  const audit = async (): Promise<void> =>
    tenant.audit({
      type: recipient === undefined ? "fcpr" : "scpr",
      ...((admission.kind === "refused" || recipient !== account) && { description: "Too many messages were requested." }),
      ...auditClient(client),
      ...(connection && auditConnection(connection)),
      ...(account && auditPrimaryUser(account)),
    });
  if (admission.kind === "refused") {
    await audit();
    return admission.error;
  }

  const about = { client, organization, uiLocales };
  const { code } = admission;
  const user = recipient ?? { user_id: "", email: unreachable, password_id: null };
  const link = await createResetLink(tenant, user, about);
  const to = { ...about, to: user.email, user: recipient, ...(recipient === undefined && { pretend: true as const }) };
  await Promise.all([audit(), sendMail(tenant, resetPasswordMail({ link, ...(code !== undefined && { code }) }), to)]);
  return undefined;
}

/** A request as the limits count it. */
interface CountedReset {
  readonly request: PasswordResetRequest;
  /** The identifier as the connection stores it for its accounts. */
  readonly typed: string;
  readonly account: Row<"users"> | undefined;
  /** The primary user, if the browser has signed in to the account before. */
  readonly knownUserId: string | undefined;
}

type ResetAdmission =
  /** Every step runs. The mail is delivered only if there is a `recipient`. */
  | { readonly kind: "admitted"; readonly recipient: Row<"users"> | undefined; readonly code?: string }
  /** The same form requested a mail before. */
  | { readonly kind: "repeated" }
  | { readonly kind: "refused"; readonly error: PosternError };

/** Counts a mail with only a link against the limits of the account's address. */
async function admitLink(tenant: Tenant, { request, typed, account, knownUserId }: CountedReset): Promise<ResetAdmission> {
  const message = { channel: "email", address: account?.email ?? typed, client: request.client, knownUserId } as const;
  const error = await limitMessageWithoutCode(tenant, message, { isResetLink: true });
  return error === undefined ? { kind: "admitted", recipient: account } : { kind: "refused", error };
}

/**
 * Counts a mail with a code against the limits of what was typed, which the visitor may see, and of the account's
 * mailbox. Creates the code.
 */
async function admitCode(tenant: Tenant, counted: CountedReset, { loginId, form }: ResetCode): Promise<ResetAdmission> {
  const { request, typed, account, knownUserId } = counted;
  const { client, connection } = request;
  const refusal = await limitMessages(tenant, { channel: "email", address: typed, client, knownUserId });
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  const recipient = (await admitMailbox(tenant, counted, form)) ? account : undefined;
  try {
    const created = await createCode(tenant, {
      purpose: "reset-password",
      connectionId: connection?.id ?? "",
      channel: "email",
      identifier: typed,
      clientId: client?.record.client_id ?? "",
      loginId,
      ip: tenant.requestInfo.ip,
      knownUserId,
      userId: recipient?.user_id,
      pretend: recipient === undefined,
      form,
    });
    return created === undefined ? { kind: "repeated" } : { kind: "admitted", recipient, code: created.code };
  } catch (error) {
    if (isPosternError(error) && error.code === "TOO_MANY_REQUESTS") return { kind: "refused", error };
    throw error;
  }
}

/**
 * Counts the mail against the budget of the account's mailbox, if the visitor typed something other than its address,
 * such as a username. The budget of what was typed decides what the visitor sees. This one only stops the delivery: an
 * error would reveal which address belongs to a username. Costs the same if there is no account.
 */
async function admitMailbox(tenant: Tenant, { typed, account, knownUserId }: CountedReset, form: string | undefined): Promise<boolean> {
  if (typed.includes("@") && (account === undefined || account.email.toLowerCase() === typed)) return true;
  // No mailbox has an address with a space at its end.
  const destination = { channel: "email", address: account?.email ?? `${typed} `, knownUserId } as const;
  const codeExpiresAt = tenant.now() + defaultCodeLifetime * 1000;
  const submitted = form && (await tenant.secrets.fingerprints.of("form of a mail", tenant.id, form));
  const { admitted } = await admitMessage(tenant, destination, { codeExpiresAt, form: submitted });
  return admitted;
}
