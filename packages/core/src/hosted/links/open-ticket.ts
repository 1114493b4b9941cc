import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import {
  findTicket,
  stateOfTicket,
  ticketRequestSchema,
  type TicketRequest,
  type StoredTicket,
  type TicketPurpose,
  type TicketState,
} from "../../identity/tickets/ticket.ts";
import type { AppearanceOptions } from "../../login/appearance.ts";
import { clientNameOf } from "../../branding/client-name.ts";
import { isWebUrl } from "../../model/web-url.ts";
import { returnLink, type ReturnLink } from "../../login/return-link.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/** A submitted ticket, with its current state. */
export interface OpenedTicket {
  readonly ticket: StoredTicket;
  readonly request: TicketRequest;
  readonly state: TicketState;
  /** The account that the ticket belongs to. */
  readonly user: Row<"users">;
  /** The client that the user came from. */
  readonly client: RegisteredClient | undefined;
  /** The branding for the pages of this ticket. */
  readonly look: AppearanceOptions;
}

/**
 * Reads a ticket. Returns undefined if the ticket or its account does not exist. Changes nothing, because mail scanners
 * open links before users do.
 */
export async function openTicket(tenant: RequestTenant, purpose: TicketPurpose, text: string): Promise<OpenedTicket | undefined> {
  const ticket = await findTicket(tenant.data, purpose, text);
  if (ticket === undefined) return undefined;
  const [user, client] = await Promise.all([
    findOne(tenant.data.users, { user_id: ticket.user_id }),
    ticket.client_id === null ? undefined : tenant.client(ticket.client_id),
  ]);
  if (user === undefined) return undefined;
  const request = ticketRequestSchema.parse(ticket.request);
  const { organization_id: organizationId, ui_locales: uiLocales } = request;
  const organization = organizationId === undefined ? undefined : await tenant.organization(organizationId);
  const state = stateOfTicket(tenant, ticket, user);
  return { ticket, request, state, user, client, look: { client, organization, uiLocales } };
}

/**
 * Returns the link that the user follows after the ticket was used: the URL that the ticket names, with Auth0's
 * parameters, otherwise the client's URL.
 */
export function returnLinkAfter(tenant: RequestTenant, { request, client }: OpenedTicket, message: string): ReturnLink | undefined {
  const { result_url: result, include_email_in_redirect: withEmail, email } = request;
  if (result === undefined || !isWebUrl(result)) return returnLink(tenant, client);
  const url = new URL(result);
  const parameters = {
    supportSignUp: "true",
    supportForgotPassword: "true",
    ...(withEmail === true && { email }),
    success: "true",
    message,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const clientName = client && clientNameOf(client);
  return { href: url.href, ...(clientName !== undefined && { clientName }) };
}
