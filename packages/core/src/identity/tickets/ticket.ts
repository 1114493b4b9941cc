import type { DataContext, ServiceContext } from "../../context.ts";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/** What the page behind a link does: marks an address as verified, or sets a password. */
export type TicketPurpose = "verify-email" | "reset-password";

/** A ticket as it is stored. */
export type Ticket = Row<"tickets"> & { readonly purpose: TicketPurpose };

/** Seconds that a link in a mail lives which people ask for themselves. */
export const askedForLifetime = 60 * 60;

/** Seconds that any other link lives, where whoever makes it says nothing else: the vendor's five days. */
export const usualLifetime = 5 * 24 * 60 * 60;

/** What a ticket keeps besides its row's columns. */
export const TicketRequest = z.object({
  /** The address of the account when the ticket was made: one for another address is void. */
  email: z.string(),
  /** The password of the account then: a link that sets one is void once the account has another. */
  password_id: z.string().nullable(),
  /** The link proves the account's address. */
  proves_email: z.boolean().default(true),
  /**
   * How. `mailbox`: Postern mailed the link to the address, and nobody else has it. `administrator`: a caller of the Management API received the link, and
   * says that it goes to that address. Default: `administrator`, because tickets of earlier versions do not say it.
   */
  proof: z.enum(["mailbox", "administrator"]).default("administrator"),
  /** Where the browser is led when it is done. */
  result_url: z.string().exactOptional(),
  /** That address is told the account's e-mail address. */
  include_email_in_redirect: z.boolean().exactOptional(),
  /** In whose look the page is shown. */
  organization_id: z.string().exactOptional(),
  ui_locales: z.string().exactOptional(),
});

export type TicketRequest = z.output<typeof TicketRequest>;

/** What a ticket is made from. */
export interface NewTicket {
  readonly purpose: TicketPurpose;
  /** The account that it is for: a primary one, or one that is linked to it. */
  readonly user: Pick<Row<"users">, "user_id" | "email" | "password_id">;
  /** The client that the person came from: the way on. */
  readonly clientId?: string | undefined;
  /** Default: {@link usualLifetime}. */
  readonly lifetimeSeconds?: number | undefined;
  readonly request?: Partial<Omit<TicketRequest, "email" | "password_id">>;
}

/** Makes a ticket. @returns its text, for the link: the tenant's id, a dot and 32 random characters, of which only a hash is stored. */
export async function createTicket(context: DataContext, made: NewTicket): Promise<string> {
  const { purpose, user, clientId, lifetimeSeconds = usualLifetime, request } = made;
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

/** The ticket of a text, also one that is not good any more; undefined for that of another tenant or purpose. Changes nothing. */
export async function findTicket(data: TenantData, purpose: TicketPurpose, text: string): Promise<Ticket | undefined> {
  if (!text.startsWith(`${data.tenantId}.`)) return undefined;
  const where = { ticket_hash: await sha256(secretOf(data, text)) };
  const [ticket] = await data.tickets.find({ where, limit: 1 });
  return ticket?.purpose === purpose ? { ...ticket, purpose } : undefined;
}

/**
 * Whether a ticket is still good, or why not. `replaced`: it had expired, and another was asked for by it, which is still good. `void`: what it was made for is not there any more.
 */
export type TicketState = "good" | "used" | "expired" | "replaced" | "void";

/** Looks at a ticket beside the account that it is for, as that is now. */
export function stateOfTicket(context: ServiceContext, ticket: Ticket, user: Row<"users">): TicketState {
  const { consumed_at: consumed, expires_at: expires } = ticket;
  if (consumed !== null && consumed < expires) return "used";
  // As long as its successor lives: the mail with that may have been lost, and then this one asks for the next.
  if (consumed !== null && context.now() < consumed + askedForLifetime * 1000) return "replaced";
  const { email, password_id: password } = TicketRequest.parse(ticket.request);
  if (user.email.toLowerCase() !== email.toLowerCase()) return "void";
  if (expires <= context.now()) return "expired";
  return ticket.purpose === "reset-password" && user.password_id !== password ? "void" : "good";
}

/** Uses a ticket up. @returns whether this call did: of parallel ones a single one does. */
export async function consumeTicket(context: DataContext, { ticket_hash }: Ticket): Promise<boolean> {
  const now = context.now();
  return (
    (await context.data.tickets.update({ ticket_hash, consumed_at: null, expires_at: { gt: now } }, { set: { consumed_at: now } })) === 1
  );
}

/**
 * Gives up an expired ticket for another one, once in the life of that: who has it had the link in their mailbox. The new one is made first, so that a process which is lost between the two leaves one that nobody
 * knows, and not a link that leads nowhere.
 * @returns the text of the new one; undefined where there is one already.
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
    lifetimeSeconds: askedForLifetime,
    request: TicketRequest.parse(request),
  });
  const replaced = await data.tickets.update({ ticket_hash, consumed_at, expires_at: { lte: now } }, { set: { consumed_at: now } });
  if (replaced === 1) return text;
  // It would count among the links that somebody was sent.
  await data.tickets.delete({ ticket_hash: await sha256(secretOf(data, text)) });
  return undefined;
}

const secretOf = ({ tenantId }: TenantData, text: string): string => text.slice(tenantId.length + 1);
