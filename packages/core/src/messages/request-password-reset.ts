import { auditClient, auditConnection, auditPrimaryUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { isPosternError, type PosternError } from "../errors.ts";
import { limitMessageSender } from "../identity/attack-protection/rate-limit.ts";
import { findKnownUserId } from "../identity/login/known-browser.ts";
import { readIdentifier } from "../identity/login/identifier.ts";
import { admitMessage } from "../identity/one-time-codes/destination-budget.ts";
import { createCode } from "../identity/one-time-codes/one-time-code.ts";
import { maySetPasswords } from "../identity/passwords/self-service.ts";
import { findOrImport } from "../identity/users/import-from-source.ts";
import { defaultCodeLifetime } from "../model/connections/strategies/code-strength.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { limitDestinationWithoutCode, limitMessages } from "./message-limits.ts";
import { createResetLink, type LinkSubject } from "./links.ts";
import { resetPasswordMail } from "./mails/reset-password.ts";
import { sendMail } from "./send.ts";

/** A visitor's request to set a new password. */
interface PasswordResetRequest extends LinkSubject {
  /** The password database; undefined if no password database is enabled for the client. */
  readonly connection: Row<"connections"> | undefined;
  /** The name in the request, for the log: `connection` is undefined if no password database of the client has it. */
  readonly connectionName?: string | undefined;
  /** The email address, username or phone number, as the visitor entered it. */
  readonly identifier: string;
  /** The fingerprints in the browser's cookie. They identify the users who have signed in with the browser before. */
  readonly marks: readonly string[];
  /** Adds a code to the mail. Default: the mail contains only a link. */
  readonly code?: ResetCode;
}

/** The parameters of a code in a password reset mail. */
interface ResetCode {
  /** The login session in which the code is valid. */
  readonly loginId: string;
  /** The id of the form that requests the mail. Only one mail is sent, however often the form is submitted. */
  readonly form: string | undefined;
}

/** An email address that never exists (RFC 2606). */
const unreachable = "unreachable@example.invalid";

/**
 * Sends a mail with which a user can set a new password, and writes the audit event.
 *
 * Does not reveal whether an account has the identifier. If there is no such account, or if the connection's users may
 * not set passwords themselves, every step runs except the delivery. An account receives at most five links without a
 * code per hour, in addition to the limits that apply to all messages.
 *
 * @returns the error to respond with if a limit is exceeded that reveals nothing about accounts: the limit of the client
 * address, or the limits of a request with a `code`, which count by the identifier that the visitor entered. Links are
 * counted by the email address of the account, so that limit is exceeded without an error.
 */
export async function requestPasswordReset(tenant: RequestTenant, request: PasswordResetRequest): Promise<PosternError | undefined> {
  const { connection, client, organization, uiLocales } = request;
  const identifier = connection && (await readIdentifier(connection, request.identifier));
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
      ...unknownConnection(request),
      ...((admission.kind === "refused" || recipient !== account) && { description: "Too many messages were requested." }),
      ...auditClient(client),
      ...(connection && auditConnection(connection)),
      ...(account && auditPrimaryUser(account)),
    });
  if (admission.kind === "refused") {
    await audit();
    return admission.isPublic ? admission.error : undefined;
  }

  const about = { client, organization, uiLocales };
  const { code } = admission;
  const user = recipient ?? { user_id: "", email: unreachable, password_id: null };
  const link = await createResetLink(tenant, user, about);
  const to = { ...about, to: user.email, user: recipient, ...(recipient === undefined && { pretend: true as const }) };
  await Promise.all([audit(), sendMail(tenant, resetPasswordMail({ link, ...(code !== undefined && { code }) }), to)]);
  return undefined;
}

/** Returns the description of a reset that failed because of its connection. The response does not reveal the reason. */
function unknownConnection({ connection, connectionName: name }: PasswordResetRequest): { readonly description?: string } {
  if (connection !== undefined || name === undefined) return {};
  return { description: `There is no password database '${name}', or the client does not offer it.` };
}

/** A request, with the data by which the limits count it. */
interface CountedReset {
  readonly request: PasswordResetRequest;
  /** The identifier that the visitor entered, in the normalized form in which the connection stores identifiers. */
  readonly typed: string;
  readonly account: Row<"users"> | undefined;
  /** The primary user, if the browser has signed in to the account before. */
  readonly knownUserId: string | undefined;
}

type ResetAdmission =
  /** Every step runs. If there is no `recipient`, the mail is not delivered. */
  | { readonly kind: "admitted"; readonly recipient: Row<"users"> | undefined; readonly code?: string }
  /** The same form requested a mail before. */
  | { readonly kind: "repeated" }
  /** A limit is exceeded. `isPublic`: whether the response may say so, because the limit does not depend on accounts. */
  | { readonly kind: "refused"; readonly error: PosternError; readonly isPublic: boolean };

/** Counts a mail that contains only a link against the limits for the account's email address. */
async function admitLink(tenant: RequestTenant, { request, typed, account, knownUserId }: CountedReset): Promise<ResetAdmission> {
  const message = { channel: "email", address: account?.email ?? typed, client: request.client, knownUserId } as const;
  const bySender = await limitMessageSender(tenant, message);
  if (bySender !== undefined) return { kind: "refused", error: bySender, isPublic: true };
  const error = await limitDestinationWithoutCode(tenant, message, { isResetLink: true });
  return error === undefined ? { kind: "admitted", recipient: account } : { kind: "refused", error, isPublic: false };
}

/**
 * Counts a mail with a code against two limits, and creates the code. The first limit counts by the identifier that the
 * visitor entered; the visitor may learn that it is exceeded. The second limit counts by the account's mailbox.
 */
async function admitCode(tenant: RequestTenant, counted: CountedReset, { loginId, form }: ResetCode): Promise<ResetAdmission> {
  const { request, typed, account, knownUserId } = counted;
  const { client, connection } = request;
  const refusal = await limitMessages(tenant, { channel: "email", address: typed, client, knownUserId });
  if (refusal !== undefined) return { kind: "refused", error: refusal, isPublic: true };
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
    if (isPosternError(error) && error.code === "TOO_MANY_REQUESTS") return { kind: "refused", error, isPublic: true };
    throw error;
  }
}

/**
 * Counts the mail against the message budget of the account's mailbox, if the visitor entered another identifier than
 * the account's email address, such as a username. If this budget is used up, the mail is not delivered but the visitor
 * sees no error: an error would reveal which email address belongs to a username. If there is no account, the same work
 * is done.
 */
async function admitMailbox(
  tenant: RequestTenant,
  { typed, account, knownUserId }: CountedReset,
  form: string | undefined,
): Promise<boolean> {
  if (typed.includes("@") && (account === undefined || account.email.toLowerCase() === typed)) return true;
  // A stand-in for the mailbox if there is no account. No email address ends with a space.
  const destination = { channel: "email", address: account?.email ?? `${typed} `, knownUserId } as const;
  const codeExpiresAt = tenant.now() + defaultCodeLifetime * 1000;
  const submitted = form && (await tenant.secrets.fingerprints.of("form of a mail", tenant.id, form));
  const { admitted } = await admitMessage(tenant, destination, { codeExpiresAt, form: submitted });
  return admitted;
}
