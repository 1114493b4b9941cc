import type { Row } from "../../store/schema.ts";
import {
  findTicket,
  stateOfTicket,
  TicketRequest,
  type Ticket,
  type TicketPurpose,
  type TicketState,
} from "../../identity/tickets/ticket.ts";
import { PosternError } from "../../errors.ts";
import type { LookOptions } from "../../login/look.ts";
import { isWebUrl } from "../../branding/support.ts";
import { returnLink, type ReturnLink } from "../../login/return-link.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { Client } from "../../model/clients/client.ts";

/** A ticket that somebody brought, with what is known of it now. */
export interface OpenedTicket {
  readonly ticket: Ticket;
  readonly request: TicketRequest;
  readonly state: TicketState;
  /** The account that it is for. */
  readonly user: Row<"users">;
  /** The client that the person came from. */
  readonly client: Client | undefined;
  /** How its pages look. */
  readonly look: LookOptions;
}

/** Looks at a ticket. Undefined where there is none, or nobody whom it is for. Changes nothing: scanners of mail look at it before people do. */
export async function openTicket(tenant: Tenant, purpose: TicketPurpose, text: string): Promise<OpenedTicket | undefined> {
  const ticket = await findTicket(tenant.data, purpose, text);
  if (ticket === undefined) return undefined;
  const [[user], client] = await Promise.all([
    tenant.data.users.find({ where: { user_id: ticket.user_id }, limit: 1 }),
    ticket.client_id === null ? undefined : tenant.client(ticket.client_id),
  ]);
  if (user === undefined) return undefined;
  const request = TicketRequest.parse(ticket.request);
  const { organization_id: organizationId, ui_locales: uiLocales } = request;
  const organization = organizationId === undefined ? undefined : await tenant.organization(organizationId);
  const state = stateOfTicket(tenant, ticket, user);
  return { ticket, request, state, user, client, look: { client, organization, uiLocales } };
}

/** Where a person goes on once the link has done its work: the address that the ticket names, told so as the vendor tells it, else where their app is. */
export function returnLinkAfter(tenant: Tenant, { request, client }: OpenedTicket, message: string): ReturnLink | undefined {
  const { result_url: result, include_email_in_redirect: withEmail, email } = request;
  if (result === undefined || !isWebUrl(result)) return returnLink(tenant, client);
  const url = new URL(result);
  const told = { supportSignUp: "true", supportForgotPassword: "true", ...(withEmail === true && { email }), success: "true", message };
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return { href: url.href, ...(client && { clientName: client.record.name }) };
}

/**
 * The ticket in a form shows that whoever sends it has the link; the origin, that a page of ours sent it.
 * @throws {PosternError} `forbidden`.
 */
export function checkOwnForm(tenant: Tenant, request: Request): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === tenant.urls.origin) return;
  throw new PosternError("forbidden", "This form was not sent by its own page. Go back and try again.");
}
