import type { AccountChange, OwnFactorChange } from "../context.ts";
import { createTicket } from "../identity/tickets/ticket.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { undoFactorChangeLink } from "../tenants/ticket-links.ts";
import { mailLater } from "./mail-later.ts";
import { factorChanged, factorLocked, type ChangedFactors } from "./mails/factor-changed.ts";
import { noticeRecipient, type ChangedFactor, type NoticeRecipient } from "./factor-notice.ts";
import type { MailMessage, SmsMessage } from "./message.ts";
import { canMail, sendMail, sendSms, type Recipient } from "./send.ts";

/** The messages that tell a user about their second factors. They are sent after the response. */

/** Tells the user that too many codes of a factor were wrong, so that it is locked for some minutes. */
export function sendFactorLockedMail(tenant: RequestTenant, user: Row<"users">, client: RegisteredClient | undefined): void {
  if (!canMail(tenant) || user.email === "") return;
  const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
  mailLater(tenant, "factor_locked", () => sendMail(tenant, factorLocked(facts), { to: user.email, user, client }));
}

/** Lifetime in seconds of the link with which a user reports a change of factors. */
const undoLifetime = 7 * 24 * 60 * 60;

/** The part of the details of an audit event that says whether the user was told. Empty if the user was told. */
export interface NoticeDetails {
  readonly notified?: false;
}

/**
 * Tells the user that they added, removed or replaced a factor, by email or else by text message
 * ({@link noticeRecipient}). The message contains a link that protects the account if they did not.
 * @param user the account before the change, so that the message goes to the address of before.
 * @returns details for the audit event of the change.
 */
export async function notifyFactorChange(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, type, client, factor }: OwnFactorChange,
): Promise<NoticeDetails> {
  const recipient = await noticeRecipient(tenant, user, { change, types: [type], ...(factor && { factors: [factor] }) });
  if (recipient === undefined) return { notified: false };
  const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
  mailLater(tenant, `factor_${change}`, async () => {
    const undoLink = await createUndoLink(tenant, user, { change, client });
    await sendNotice(tenant, recipient, factorChanged({ change, types: [type], undoLink }, facts), { user, client });
  });
  return {};
}

/** Creates the link with which a user reports a change that they did not make. @param user the account before the change. */
export async function createUndoLink(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, client }: { readonly change: OwnFactorChange["change"] | AccountChange; readonly client: RegisteredClient | undefined },
): Promise<string> {
  const ticket = await createTicket(tenant, {
    purpose: "undo-factor-change",
    user,
    clientId: client?.record.client_id,
    lifetimeSeconds: undoLifetime,
    request: { change },
  });
  return undoFactorChangeLink(tenant, ticket);
}

/**
 * Tells the user that an administrator changed their factors. The message does not contain the IP address of the request,
 * which would mean nothing to the user.
 * @param user the account before the change, so that the message goes to the address of before.
 * @returns details for the audit events of the change.
 */
export async function notifyAdministeredChange(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, types }: Omit<ChangedFactors, "undoLink">,
  factors: readonly ChangedFactor[],
): Promise<NoticeDetails> {
  const recipient = await noticeRecipient(tenant, user, { change, types, factors });
  if (recipient === undefined) return { notified: false };
  const facts = { at: tenant.now() };
  mailLater(tenant, `factor_${change}`, () => sendNotice(tenant, recipient, factorChanged({ change, types }, facts), { user }));
  return {};
}

/** Sends a message to the destination of a notice. */
export function sendNotice(
  tenant: RequestTenant,
  { channel, to }: NoticeRecipient,
  message: MailMessage & SmsMessage,
  about: Omit<Recipient, "to">,
): Promise<void> {
  return channel === "email" ? sendMail(tenant, message, { ...about, to }) : sendSms(tenant, message, { ...about, to });
}
