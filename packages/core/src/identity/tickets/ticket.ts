import type { DataContext, ServiceContext } from "../../context.ts";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/**
 * The purpose of the page that a ticket's link opens: verify an email address, set a password, add a second factor, or protect
 * an account after a change of factors or addresses that its user did not make.
 */
export type TicketPurpose = "verify-email" | "reset-password" | "enroll-factor" | "undo-factor-change";

/** A stored ticket. */
export type StoredTicket = Row<"tickets"> & { readonly purpose: TicketPurpose };

/** Lifetime in seconds of a link in an email that a user requested. */
export const requestedLinkLifetime = 60 * 60;

/** Default lifetime in seconds of all other links: five days, as in Auth0. */
const defaultLifetime = 5 * 24 * 60 * 60;

/** The data of a ticket that is stored as JSON, in addition to the columns of its row. */
export const ticketRequestSchema = z.object({
  /**
   * The email address of the account when the ticket was created. The ticket becomes void when the account gets another
   * email address.
   */
  email: z.string(),
  /**
   * The id of the account's password when the ticket was created. A ticket that sets a password or adds a factor becomes
   * void when the account gets another password.
   */
  password_id: z.string().nullable(),
  /** Whether the link proves the account's email address. */
  proves_email: z.boolean().default(true),
  /**
   * How the link proves the email address. `mailbox`: Postern sent the link only to this email address.
   * `administrator`: a caller of the Management API received the link and states that it is sent to this email address.
   * Default: `administrator`.
   */
  proof: z.enum(["mailbox", "administrator"]).default("administrator"),
  /** The URL that the page redirects the browser to at the end. */
  result_url: z.string().exactOptional(),
  /** Whether the account's email address is added to `result_url`. */
  include_email_in_redirect: z.boolean().exactOptional(),
  /** The organization whose branding the page uses. */
  organization_id: z.string().exactOptional(),
  ui_locales: z.string().exactOptional(),
  /** The only factor that the ticket may add. Omitted: any factor that the tenant enables. */
  factor: factorTypeSchema.exactOptional(),
  /** Whether the ticket may add a factor to an account that has one. */
  allows_more_factors: z.boolean().exactOptional(),
  /** The change of a factor, or of the account, that the message with the ticket reports. */
  change: z
    .enum(["added", "removed", "updated", "replaced", "email", "phone", "username", "password", "linked", "unlinked"])
    .exactOptional(),
  /** The id of the factor that the ticket was used for. */
  used_for: z.string().exactOptional(),
  /** A new recovery code that its user has not stored yet, encrypted. */
  recovery_code: z.string().exactOptional(),
});

export type TicketRequest = z.output<typeof ticketRequestSchema>;

/** The data of a new ticket. */
export interface NewTicket {
  readonly purpose: TicketPurpose;
  /** The account that the ticket is for: a primary account, or a linked one. */
  readonly user: Pick<Row<"users">, "user_id" | "email" | "password_id">;
  /** The client that sent the user. The page contains a link back to the client. */
  readonly clientId?: string | undefined;
  /** Default: {@link defaultLifetime}. */
  readonly lifetimeSeconds?: number | undefined;
  readonly request?: Partial<Omit<TicketRequest, "email" | "password_id">>;
}

/**
 * Creates a ticket.
 * @returns the text of the ticket for the link: the tenant's id, a dot and 32 random characters. Only a hash of the
 * characters is stored.
 */
export async function createTicket(context: DataContext, input: NewTicket): Promise<string> {
  const { purpose, user, clientId, lifetimeSeconds = defaultLifetime, request } = input;
  const secret = context.random.alphanumeric(32);
  const now = context.now();
  const ticket: StoredTicket = {
    ticket_hash: await sha256(secret),
    purpose,
    user_id: user.user_id,
    client_id: clientId ?? null,
    request: ticketRequestSchema.parse({ ...request, email: user.email, password_id: user.password_id }),
    created_at: now,
    expires_at: now + lifetimeSeconds * 1000,
    consumed_at: null,
  };
  await context.data.tickets.insert([ticket]);
  return `${context.data.tenantId}.${secret}`;
}

/**
 * Finds a ticket by its text, even if the ticket is no longer valid. Undefined if the ticket belongs to another tenant
 * or purpose. Changes nothing.
 */
export async function findTicket(data: TenantData, purpose: TicketPurpose, text: string): Promise<StoredTicket | undefined> {
  if (!text.startsWith(`${data.tenantId}.`)) return undefined;
  const where = { ticket_hash: await sha256(secretOf(data, text)) };
  const ticket = await findOne(data.tickets, where);
  return ticket?.purpose === purpose ? { ...ticket, purpose } : undefined;
}

/**
 * Whether a ticket is valid (`good`), or why it is not. `replaced`: the ticket expired, and its holder has requested a
 * new ticket that is still valid. `void`: the account's email address or password has changed since the ticket was
 * created.
 */
export type TicketState = "good" | "used" | "expired" | "replaced" | "void";

/** Returns the state of a ticket. @param user the current account. */
export function stateOfTicket(context: ServiceContext, ticket: StoredTicket, user: Row<"users">): TicketState {
  const { consumed_at: consumed, expires_at: expires } = ticket;
  if (consumed !== null && consumed < expires) return "used";
  // The ticket counts as replaced until its successor expires. After that, its holder can request another ticket,
  // because the email with the successor may have been lost.
  if (consumed !== null && context.now() < consumed + requestedLinkLifetime * 1000) return "replaced";
  const { email, password_id: password } = ticketRequestSchema.parse(ticket.request);
  // An attacker who changed a factor may have changed the email address as well.
  if (ticket.purpose !== "undo-factor-change" && user.email.toLowerCase() !== email.toLowerCase()) return "void";
  if (expires <= context.now()) return "expired";
  const isPasswordBound = ticket.purpose === "reset-password" || ticket.purpose === "enroll-factor";
  return isPasswordBound && user.password_id !== password ? "void" : "good";
}

/** Marks a ticket as used. @returns `true` if this call marked it. Of parallel calls, only one does. */
export async function consumeTicket(context: DataContext, { ticket_hash }: StoredTicket): Promise<boolean> {
  const now = context.now();
  return (
    (await context.data.tickets.update({ ticket_hash, consumed_at: null, expires_at: { gt: now } }, { set: { consumed_at: now } })) === 1
  );
}

/** The use of a ticket. */
interface TicketUse {
  readonly factorId: string;
  /** A new recovery code, encrypted. */
  readonly recoveryCode?: string | undefined;
}

/**
 * Marks a ticket as used for one factor. After a crash, the same factor can be added with the ticket again.
 * @returns `true` if the ticket was used for this factor, by this call or an earlier one.
 */
export async function useTicketFor(context: DataContext, ticket: StoredTicket, { factorId, recoveryCode }: TicketUse): Promise<boolean> {
  const { ticket_hash } = ticket;
  const now = context.now();
  const request = {
    ...ticketRequestSchema.parse(ticket.request),
    used_for: factorId,
    ...(recoveryCode !== undefined && { recovery_code: recoveryCode }),
  };
  const guard = { ticket_hash, consumed_at: null, expires_at: { gt: now } };
  if ((await context.data.tickets.update(guard, { set: { consumed_at: now, request } })) === 1) return true;
  const stored = await findOne(context.data.tickets, { ticket_hash });
  return stored !== undefined && ticketRequestSchema.parse(stored.request).used_for === factorId;
}

/**
 * Makes a ticket valid again that was used for a factor, because the factor could not be added.
 * @param ticket the ticket before it was used.
 */
export async function releaseTicket({ data }: Pick<DataContext, "data">, ticket: StoredTicket, factorId: string): Promise<void> {
  const { ticket_hash, request } = ticket;
  const stored = await findOne(data.tickets, { ticket_hash });
  if (stored === undefined || ticketRequestSchema.parse(stored.request).used_for !== factorId) return;
  const { used_for: _, recovery_code: __, ...unused } = ticketRequestSchema.parse(request);
  await data.tickets.update({ ticket_hash, consumed_at: stored.consumed_at }, { set: { consumed_at: null, request: unused } });
}

/** Removes the recovery code from a ticket, because its user has stored it. */
export async function forgetRecoveryCode({ data }: Pick<DataContext, "data">, { ticket_hash, request }: StoredTicket): Promise<void> {
  const { recovery_code: _, ...rest } = ticketRequestSchema.parse(request);
  await data.tickets.update({ ticket_hash }, { set: { request: rest } });
}

/** Returns the public id of a ticket. It identifies the ticket in logs, and gives no access. */
export async function ticketIdOf(data: TenantData, text: string): Promise<string> {
  return `gten_${(await sha256(`id of ticket ${secretOf(data, text)}`)).slice(0, 24)}`;
}

/**
 * Replaces an expired ticket with a new one. An expired ticket is sufficient for this request, because its holder
 * received the link by email. Each ticket can be replaced once within the lifetime of the new ticket. The new ticket is
 * created first, so that a crash between the two writes leaves a ticket that nobody knows, and not an expired ticket
 * without a successor.
 * @returns the text of the new ticket; undefined if the ticket was replaced before and the replacement is still valid.
 */
export async function replaceTicket(
  context: DataContext,
  { ticket_hash, purpose, client_id: clientId, request, consumed_at }: StoredTicket,
  user: Row<"users">,
): Promise<string | undefined> {
  const { data } = context;
  const now = context.now();
  const text = await createTicket(context, {
    purpose,
    user,
    clientId: clientId ?? undefined,
    lifetimeSeconds: requestedLinkLifetime,
    request: ticketRequestSchema.parse(request),
  });
  const replaced = await data.tickets.update({ ticket_hash, consumed_at, expires_at: { lte: now } }, { set: { consumed_at: now } });
  if (replaced === 1) return text;
  // Another request has replaced the ticket, so the new link is not sent. The limit on sent links would count its ticket.
  await data.tickets.delete({ ticket_hash: await sha256(secretOf(data, text)) });
  return undefined;
}

const secretOf = ({ tenantId }: TenantData, text: string): string => text.slice(tenantId.length + 1);
