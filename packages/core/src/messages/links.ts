import { auditClient, auditConnection } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { findOrBringOver } from "../identity/users/bring-over.ts";
import { readIdentifier } from "../identity/login/identifier.ts";
import { askedForLifetime, createTicket, replaceTicket, type NewTicket, type Ticket } from "../identity/tickets/ticket.ts";
import { maySetPasswords } from "../identity/passwords/self-service.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { findKnownUserId } from "../identity/login/known-browser.ts";
import { resetPasswordLink, verifyEmailLink } from "../tenants/ticket-links.ts";
import type { PosternError } from "../errors.ts";
import { admit, type MessageRequest } from "./admit.ts";
import { accountExists } from "./mails/account-exists.ts";
import { resetPassword } from "./mails/reset-password.ts";
import { verifyEmail } from "./mails/verify-email.ts";
import { sendMail, type Recipient } from "./send.ts";

/** Who is sent a link, and what it is about. */
export interface LinkRecipient extends Omit<Recipient, "to" | "pretend"> {
  readonly user: Row<"users">;
}

/**
 * Sends a link to verify an email address. It is valid for five days.
 * @param isFirst whether the account is new. Saves a read.
 * @returns undefined if the link was sent; otherwise the error to respond with, because a limit is exceeded.
 */
export async function mailVerificationLink(
  tenant: Tenant,
  recipient: LinkRecipient & Pick<MessageRequest, "isManagement">,
  isFirst = false,
): Promise<PosternError | undefined> {
  const { user, client, isManagement = false } = recipient;
  const refusal = await admit(tenant, { channel: "email", address: user.email, client, isManagement }, { isFirst });
  if (refusal !== undefined) return refusal;
  const ticket = await createTicket(tenant, ticketFor("verify-email", recipient.user, recipient));
  await sendLink(tenant, "verify-email", ticket, { ...recipient, to: user.email });
  return undefined;
}

/** Sends another link for one that has expired, once in an hour. */
export async function mailNewLink(tenant: Tenant, ticket: Ticket, recipient: LinkRecipient): Promise<void> {
  const text = await replaceTicket(tenant, ticket, recipient.user);
  if (text !== undefined) await sendLink(tenant, ticket.purpose, text, { ...recipient, to: recipient.user.email });
}

/** A wish for a new password, by somebody who may be anybody. */
export interface ResetWish extends Pick<Recipient, "client" | "organization" | "uiLocales"> {
  /** The password database; undefined where the client has none. */
  readonly connection: Row<"connections"> | undefined;
  /** What they typed to say who they are. */
  readonly identifier: string;
  /** By which users the browser is known, as its cookie says. */
  readonly marks: readonly string[];
}

/**
 * Sends a link by which somebody sets a new password, to the address of the account that they named. Nothing tells whether there is one: where there is none,
 * and where people may not set passwords by themselves, all is done but the sending. Nothing is sent either if a limit is exceeded: five links an hour, and what holds for all messages.
 */
export async function mailResetLink(tenant: Tenant, { connection, identifier, marks, ...recipient }: ResetWish): Promise<void> {
  const read = connection === undefined ? undefined : readIdentifier(connection, identifier);
  const found =
    connection === undefined || read === undefined ? undefined : await findOrBringOver(tenant, { connection, identifier: read });
  const known = connection !== undefined && maySetPasswords(connection) && found?.email !== "" ? found : undefined;
  const user = known ?? { user_id: "", email: nobody, password_id: null };
  const knownUserId = await findKnownUserId(tenant, marks, known);
  const request = { channel: "email", address: known?.email ?? read?.text ?? "", client: recipient.client, knownUserId } as const;
  const refusal = await admit(tenant, request, { isResetLink: true });
  if (refusal === undefined) {
    const ticket = await createTicket(tenant, {
      ...ticketFor("reset-password", user, recipient),
      lifetimeSeconds: askedForLifetime,
    });
    const to = { ...recipient, to: user.email, user: known, ...(known === undefined && { pretend: true as const }) };
    await sendLink(tenant, "reset-password", ticket, to);
  }
  await tenant.audit({
    type: known === undefined || refusal !== undefined ? "fcpr" : "scpr",
    ...(refusal !== undefined && { description: "Too many links were asked for." }),
    ...(known && { user: { user_id: known.linked_to === "" ? known.user_id : known.linked_to, name: known.name } }),
    ...(connection && auditConnection(connection)),
    ...auditClient(recipient.client),
  });
}

/**
 * Tells the owner of an account that somebody signed up with its address, with a link to set a new password in case it was them. The caller counts the message before.
 * A connection whose people may not set passwords by themselves sends none.
 */
export async function mailAccountExists(tenant: Tenant, connection: Row<"connections">, recipient: LinkRecipient): Promise<void> {
  if (!maySetPasswords(connection)) return;
  const ticket = await createTicket(tenant, {
    ...ticketFor("reset-password", recipient.user, recipient),
    lifetimeSeconds: askedForLifetime,
  });
  await sendMail(tenant, accountExists({ link: resetPasswordLink(tenant, ticket) }), { ...recipient, to: recipient.user.email });
}

/** An address that mail does not reach (RFC 2606). */
export const nobody = "nobody@example.invalid";

function ticketFor(
  purpose: NewTicket["purpose"],
  user: NewTicket["user"],
  { client, organization, uiLocales }: Pick<Recipient, "client" | "organization" | "uiLocales">,
): NewTicket {
  const request = {
    proof: "mailbox" as const,
    ...(organization && { organization_id: organization.id }),
    ...(uiLocales !== undefined && { ui_locales: uiLocales }),
  };
  return { purpose, user, clientId: client?.record.client_id, request };
}

function sendLink(tenant: Tenant, purpose: NewTicket["purpose"], ticket: string, recipient: Recipient): Promise<void> {
  const message =
    purpose === "verify-email"
      ? verifyEmail({ link: verifyEmailLink(tenant, ticket) })
      : resetPassword({ link: resetPasswordLink(tenant, ticket) });
  return sendMail(tenant, message, recipient);
}
