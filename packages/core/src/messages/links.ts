import type { Row } from "../store/schema.ts";
import { requestedLinkLifetime, createTicket, replaceTicket, type NewTicket, type StoredTicket } from "../identity/tickets/ticket.ts";
import { maySetPasswords } from "../identity/passwords/self-service.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { enrollmentLink, resetPasswordLink, verifyEmailLink } from "../tenants/ticket-links.ts";
import type { PosternError } from "../errors.ts";
import { limitMessageWithoutCode, type MessageRequest } from "./message-limits.ts";
import { accountExists } from "./mails/account-exists.ts";
import { enrollmentMail } from "./mails/enrollment.ts";
import { resetPasswordMail } from "./mails/reset-password.ts";
import { verifyEmailMail } from "./mails/verify-email.ts";
import type { MailMessage } from "./message.ts";
import { sendMail, type Recipient } from "./send.ts";

/** The user who receives a mail with a link, and the context of the mail. */
interface LinkRecipient extends Omit<Recipient, "to" | "pretend"> {
  readonly user: Row<"users">;
}

/**
 * Sends a mail with a link to verify an email address. The link is valid for five days.
 * @param isFirst whether this is the first mail to a new account. In that case, the message budget need not be read
 * first.
 * @returns undefined if the mail was sent. If a limit on messages is exceeded, the error to respond with.
 */
export async function mailVerificationLink(
  tenant: RequestTenant,
  recipient: LinkRecipient & Pick<MessageRequest, "isManagement">,
  isFirst = false,
): Promise<PosternError | undefined> {
  const { user, client, isManagement = false } = recipient;
  const refusal = await limitMessageWithoutCode(tenant, { channel: "email", address: user.email, client, isManagement }, { isFirst });
  if (refusal !== undefined) return refusal;
  const ticket = await createTicket(tenant, ticketFor("verify-email", recipient.user, recipient));
  await sendLink(tenant, "verify-email", ticket, { ...recipient, to: user.email });
  return undefined;
}

/**
 * Sends a mail with a link to add a second factor, for a caller of the Management API.
 * @param to the recipient: the account's email address, or one that the caller chose.
 * @returns undefined if the mail was sent. If a limit on messages is exceeded, the error to respond with.
 */
export async function mailEnrollmentLink(
  tenant: RequestTenant,
  ticket: string,
  recipient: LinkRecipient & Pick<Recipient, "to">,
): Promise<PosternError | undefined> {
  const refusal = await limitMessageWithoutCode(tenant, { channel: "email", address: recipient.to, isManagement: true });
  if (refusal === undefined) await sendLink(tenant, "enroll-factor", ticket, recipient);
  return refusal;
}

/**
 * Sends a mail with a new link that replaces an expired one, at most once an hour. The link of a mail about a change of
 * factors is not replaced.
 */
export async function mailNewLink(tenant: RequestTenant, ticket: StoredTicket, recipient: LinkRecipient): Promise<void> {
  const { purpose } = ticket;
  if (purpose === "undo-factor-change") return;
  const text = await replaceTicket(tenant, ticket, recipient.user);
  if (text !== undefined) await sendLink(tenant, purpose, text, { ...recipient, to: recipient.user.email });
}

/**
 * Sends the mail which tells the owner of an account that someone tried to sign up with its email address. The mail has
 * a link to set a new password, in case the owner tried to sign up. Sends no mail if users of the connection may not
 * set passwords themselves. The caller must count the mail against the limits first.
 */
export async function mailAccountExists(tenant: RequestTenant, connection: Row<"connections">, recipient: LinkRecipient): Promise<void> {
  if (!maySetPasswords(connection)) return;
  const link = await createResetLink(tenant, recipient.user, recipient);
  await sendMail(tenant, accountExists({ link }), { ...recipient, to: recipient.user.email });
}

/** Creates a link to set a new password, for a mail to the account's email address. The link is valid for an hour. */
export async function createResetLink(tenant: RequestTenant, user: NewTicket["user"], about: LinkSubject): Promise<string> {
  const ticket = await createTicket(tenant, { ...ticketFor("reset-password", user, about), lifetimeSeconds: requestedLinkLifetime });
  return resetPasswordLink(tenant, ticket);
}

/**
 * The application, the organization and the language of a mail. The page that the link in the mail opens has the same.
 */
export type LinkSubject = Pick<Recipient, "client" | "organization" | "uiLocales">;

function ticketFor(purpose: NewTicket["purpose"], user: NewTicket["user"], { client, organization, uiLocales }: LinkSubject): NewTicket {
  const request = {
    proof: "mailbox" as const,
    ...(organization && { organization_id: organization.id }),
    ...(uiLocales !== undefined && { ui_locales: uiLocales }),
  };
  return { purpose, user, clientId: client?.record.client_id, request };
}

/** The tickets whose mails contain only their link. */
type MailedPurpose = Exclude<NewTicket["purpose"], "undo-factor-change">;

/** The mails with the links of tickets. */
const mails: { readonly [purpose in MailedPurpose]: (tenant: RequestTenant, ticket: string) => MailMessage } = {
  "verify-email": (tenant, ticket) => verifyEmailMail({ link: verifyEmailLink(tenant, ticket) }),
  "reset-password": (tenant, ticket) => resetPasswordMail({ link: resetPasswordLink(tenant, ticket) }),
  "enroll-factor": (tenant, ticket) => enrollmentMail({ link: enrollmentLink(tenant, ticket) }),
};

function sendLink(tenant: RequestTenant, purpose: MailedPurpose, ticket: string, recipient: Recipient): Promise<void> {
  return sendMail(tenant, mails[purpose](tenant, ticket), recipient);
}
