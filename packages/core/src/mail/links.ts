import type { Row } from "../data/schema.ts";
import { sha256 } from "../adapters/digest.ts";
import { findOrBringOver } from "../domain/users/bring-over.ts";
import { readIdentifier } from "../domain/login/identifier.ts";
import { askedForLifetime, createTicket, replaceTicket, type NewTicket, type Ticket } from "../domain/tickets/ticket.ts";
import { maySetPasswords } from "../domain/passwords/self-service.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { resetPasswordLink, verifyEmailLink } from "../tenancy/ticket-links.ts";
import { accountExists } from "./messages/account-exists.ts";
import { resetPassword } from "./messages/reset-password.ts";
import { verifyEmail } from "./messages/verify-email.ts";
import { sendMail, type Recipient } from "./send.ts";

/** Who is sent a link, and what it is about. */
export interface LinkRecipient extends Omit<Recipient, "to" | "pretend"> {
  readonly user: Row<"users">;
}

/** Sends a link by which somebody verifies their address, because an administrator or the API wants it: good for five days. */
export async function mailVerificationLink(tenant: Tenant, recipient: LinkRecipient): Promise<void> {
  const ticket = await createTicket(tenant.environment, tenant.data, ticketFor("verify-email", recipient.user, recipient));
  await sendLink(tenant, "verify-email", ticket, { ...recipient, to: recipient.user.email });
}

/** Sends another link for one that has expired, once in an hour. */
export async function mailNewLink(tenant: Tenant, ticket: Ticket, recipient: LinkRecipient): Promise<void> {
  const text = await replaceTicket(tenant.environment, tenant.data, ticket, recipient.user);
  if (text !== undefined) await sendLink(tenant, ticket.purpose, text, { ...recipient, to: recipient.user.email });
}

/** A wish for a new password, by somebody who may be anybody. */
export interface ResetWish extends Pick<Recipient, "client" | "organization" | "uiLocales"> {
  /** The password database; undefined where the client has none. */
  readonly connection: Row<"connections"> | undefined;
  /** What they typed to say who they are. */
  readonly identifier: string;
}

/** Links of this kind that an account is sent within an hour: what others ask for must not fill a mailbox. */
const mostAskedFor = 5;

/**
 * Sends a link by which somebody sets a new password, to the address of the account that they named. Nothing tells whether there is one: where there is none,
 * and where people may not set passwords by themselves, all is done but the sending.
 */
export async function mailResetLink(tenant: Tenant, { connection, identifier, ...recipient }: ResetWish): Promise<void> {
  const { data } = tenant;
  const read = connection === undefined ? undefined : readIdentifier(connection, identifier);
  const found =
    connection === undefined || read === undefined
      ? undefined
      : await findOrBringOver({ environment: tenant.environment, data, connection, identifier: read });
  const known = connection !== undefined && maySetPasswords(connection) && found?.email !== "" ? found : undefined;
  // Nobody has this id: it has no connection's name before a pipe.
  const user = known ?? { user_id: `nobody ${await sha256(read?.text ?? "")}`, email: nobody, password_id: null };
  const ticket = await askedForTicket(tenant, user, recipient);
  if (ticket !== undefined) {
    const to = { ...recipient, to: user.email, user: known, ...(known === undefined && { pretend: true as const }) };
    await sendLink(tenant, "reset-password", ticket, to);
  }
  await tenant.audit({
    type: known === undefined || ticket === undefined ? "fcpr" : "scpr",
    ...(ticket === undefined && { description: "Too many links were asked for." }),
    ...(known && { user: { user_id: known.linked_to === "" ? known.user_id : known.linked_to, name: known.name } }),
    ...(connection && { connection: { id: connection.id, name: connection.name, strategy: connection.strategy } }),
    ...named(recipient.client),
  });
}

/**
 * Tells the owner of an account that somebody signed up with its address, with a link to set a new password in case it was them. Others can ask for it, so it counts among the links that
 * an account is sent within an hour. A connection whose people may not set passwords by themselves sends none.
 */
export async function mailAccountExists(tenant: Tenant, connection: Row<"connections">, recipient: LinkRecipient): Promise<void> {
  const ticket = maySetPasswords(connection) ? await askedForTicket(tenant, recipient.user, recipient) : undefined;
  if (ticket === undefined) return;
  await sendMail(tenant, accountExists({ link: resetPasswordLink(tenant, ticket) }), { ...recipient, to: recipient.user.email });
}

/** A ticket to set a password that somebody asked for who may be anybody; undefined where the account was sent too many within the hour. */
async function askedForTicket(
  { environment, data }: Tenant,
  user: NewTicket["user"],
  recipient: Pick<Recipient, "client" | "organization" | "uiLocales">,
): Promise<string | undefined> {
  const since = environment.clock.now() - askedForLifetime * 1000;
  const asked = await data.tickets.count({ user_id: user.user_id, purpose: "reset-password", created_at: { gt: since } });
  if (asked >= mostAskedFor) return undefined;
  return createTicket(environment, data, { ...ticketFor("reset-password", user, recipient), lifetimeSeconds: askedForLifetime });
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

function named(client: Client | undefined): { readonly client?: { readonly client_id: string; readonly name: string } } {
  return client === undefined ? {} : { client: { client_id: client.record.client_id, name: client.record.name } };
}
