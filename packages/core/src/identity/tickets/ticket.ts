import type { DataContext, ServiceContext } from "../../context.ts";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/** The purpose of the page of a link: verify an email address, or set a password. */
export type TicketPurpose = "verify-email" | "reset-password";

/** A ticket as it is stored. */
export type Ticket = Row<"tickets"> & { readonly purpose: TicketPurpose };

/** Lifetime in seconds of a link in a mail that a user requested. */
export const requestedLinkLifetime = 60 * 60;

/** Default lifetime in seconds of any other link: five days, as in Auth0. */
export const defaultLifetime = 5 * 24 * 60 * 60;

/** The content of a ticket in addition to the columns of its row. */
export const TicketRequest = z.object({
  /**
   * The email address of the account when the ticket was created: the ticket is void if the account has another
   * address.
   */
  email: z.string(),
  /**
   * The password of the account at that time: a link that sets a password is void once the account has another
   * password.
   */
  password_id: z.string().nullable(),
  /** Whether the link proves the account's email address. */
  proves_email: z.boolean().default(true),
  /**
   * How the link proves the address. `mailbox`: Postern mailed the link to the address only. `administrator`: a caller
   * of the Management API received the link and states that it is sent to that address. Default: `administrator`,
   * because tickets of earlier versions do not contain it.
   */
  proof: z.enum(["mailbox", "administrator"]).default("administrator"),
  /** The URL to redirect the browser to when the page is done. */
  result_url: z.string().exactOptional(),
  /** Whether the account's email address is added to that URL. */
  include_email_in_redirect: z.boolean().exactOptional(),
  /** The organization whose branding the page has. */
  organization_id: z.string().exactOptional(),
  ui_locales: z.string().exactOptional(),
});

export type TicketRequest = z.output<typeof TicketRequest>;

/** The data of a new ticket. */
export interface NewTicket {
  readonly purpose: TicketPurpose;
  /** The account of the ticket: a primary account, or a linked one. */
  readonly user: Pick<Row<"users">, "user_id" | "email" | "password_id">;
  /** The client that sent the user, to which the page links back. */
  readonly clientId?: string | undefined;
  /** Default: {@link defaultLifetime}. */
  readonly lifetimeSeconds?: number | undefined;
  readonly request?: Partial<Omit<TicketRequest, "email" | "password_id">>;
}

/**
 * Creates a ticket. @returns its text for the link: the tenant's id, a dot and 32 random characters, of which only a
 * hash is stored.
 */
export async function createTicket(context: DataContext, input: NewTicket): Promise<string> {
  const { purpose, user, clientId, lifetimeSeconds = defaultLifetime, request } = input;
  const secret = context.random.alphanumeric(32);
  const now = context.now();
  const ticket: Ticket = {
    ticket_hash: await sha256(secret),
    purpose,
    user_id: user.user_id,
    client_id: clientId ?? null,
    request: TicketRequest.parse({ ...request, email: user.email, password_id: user.password_id }),
    created_at: now,
    expires_at: now + lifetimeSeconds * 1000,
    consumed_at: null,
  };
  await context.data.tickets.insert([ticket]);
  return `${context.data.tenantId}.${secret}`;
}

/**
 * Finds a ticket by its text, even if it is no longer valid; undefined for a ticket of another tenant or purpose.
 * Changes nothing.
 */
export async function findTicket(data: TenantData, purpose: TicketPurpose, text: string): Promise<Ticket | undefined> {
  if (!text.startsWith(`${data.tenantId}.`)) return undefined;
  const where = { ticket_hash: await sha256(secretOf(data, text)) };
  const [ticket] = await data.tickets.find({ where, limit: 1 });
  return ticket?.purpose === purpose ? { ...ticket, purpose } : undefined;
}

/**
 * Whether a ticket is valid, or why not. `replaced`: it expired, and a newer one that was requested with it is still
 * valid. `void`: the email address or password that it was created for has changed.
 */
export type TicketState = "good" | "used" | "expired" | "replaced" | "void";

/** Determines the state of a ticket from the current account. */
export function stateOfTicket(context: ServiceContext, ticket: Ticket, user: Row<"users">): TicketState {
  const { consumed_at: consumed, expires_at: expires } = ticket;
  if (consumed !== null && consumed < expires) return "used";
  // As long as its successor is valid. Afterwards this ticket can request another one, because the mail with the
  // successor may have been lost.
  if (consumed !== null && context.now() < consumed + requestedLinkLifetime * 1000) return "replaced";
  const { email, password_id: password } = TicketRequest.parse(ticket.request);
  if (user.email.toLowerCase() !== email.toLowerCase()) return "void";
  if (expires <= context.now()) return "expired";
  return ticket.purpose === "reset-password" && user.password_id !== password ? "void" : "good";
}

/** Marks a ticket as used. @returns `true` if this call did: of parallel calls, one does. */
export async function consumeTicket(context: DataContext, { ticket_hash }: Ticket): Promise<boolean> {
  const now = context.now();
  return (
    (await context.data.tickets.update({ ticket_hash, consumed_at: null, expires_at: { gt: now } }, { set: { consumed_at: now } })) === 1
  );
}

/**
 * Replaces an expired ticket with a new one, once per lifetime of the new one: its holder received the link by mail.
 * The new ticket is created first, so that a crash between the two writes leaves an unknown ticket, and not a link
 * without a successor.
 * @returns the text of the new ticket; undefined if a replacement exists already.
 */
export async function replaceTicket(
  context: DataContext,
  { ticket_hash, purpose, client_id: clientId, request, consumed_at }: Ticket,
  user: Row<"users">,
): Promise<string | undefined> {
  const { data } = context;
  const now = context.now();
  const text = await createTicket(context, {
    purpose,
    user,
    clientId: clientId ?? undefined,
    lifetimeSeconds: requestedLinkLifetime,
    request: TicketRequest.parse(request),
  });
  const replaced = await data.tickets.update({ ticket_hash, consumed_at, expires_at: { lte: now } }, { set: { consumed_at: now } });
  if (replaced === 1) return text;
  // Otherwise the unused ticket would count as a link that was sent.
  await data.tickets.delete({ ticket_hash: await sha256(secretOf(data, text)) });
  return undefined;
}

const secretOf = ({ tenantId }: TenantData, text: string): string => text.slice(tenantId.length + 1);
