import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { createTicket, type NewTicket } from "../../identity/tickets/ticket.ts";
import { invalidBody } from "../../model/settings.ts";
import { createPasswordTicketSchema, createVerificationTicketSchema, ticketReplySchema } from "../../model/tickets/tickets.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { resetPasswordLink, verifyEmailLink } from "../../tenants/ticket-links.ts";
import { requireRightsOfUser, grantsScopes } from "../authority.ts";
import { findPrimary, noSuchUser } from "../users/find-user.ts";
import { findIdentity, findVerifiableUser, linkContext } from "./link-target.ts";

const definition = {
  method: "POST",
  scopes: ["create:user_tickets"],
  furtherScopes: [grantsScopes],
  responses: { 201: ticketReplySchema, 404: "inexistent_user" },
} as const;

/**
 * The routes for links that the caller sends to a user. The holder of a link can act as the user, so the caller must
 * hold all Management API scopes that the user has.
 */
export const ticketRoutes = [
  route({
    ...definition,
    path: "/api/v2/tickets/email-verification",
    summary: "Create a link to verify a user's email address",
    description: "Does not send an email. Email addresses of linked accounts cannot be verified by a link.",
    body: createVerificationTicketSchema,
  })(async ({ body }, context) => {
    const { tenant } = context;
    const user = await findVerifiableUser(tenant, body);
    return { ticket: verifyEmailLink(tenant, await make(context, "verify-email", user, body, {})) };
  }),
  route({
    ...definition,
    path: "/api/v2/tickets/password-change",
    summary: "Create a link to set a user's password",
    description: "Does not send an email. The user is identified by `user_id`, or by `email` and `connection_id`.",
    body: createPasswordTicketSchema,
  })(async ({ body }, context) => {
    const { tenant } = context;
    const account = await passwordAccount(tenant, body);
    const text = await make(context, "reset-password", account, body, { proves_email: body.mark_email_as_verified });
    // The URL ends with `#`, as in Auth0: callers append parameters for their own page.
    return { ticket: `${resetPasswordLink(tenant, text)}#` };
  }),
];

async function make(
  context: ManagementContext,
  purpose: NewTicket["purpose"],
  user: Row<"users">,
  body: z.infer<typeof createPasswordTicketSchema> | z.infer<typeof createVerificationTicketSchema>,
  more: NonNullable<NewTicket["request"]>,
): Promise<string> {
  const { tenant } = context;
  const { result_url: resultUrl, ttl_sec: seconds = 0 } = body;
  const { client, organization } = await linkContext(tenant, body);
  await requireRightsOfUser(context, user.linked_to === "" ? user.user_id : user.linked_to);
  return createTicket(tenant, {
    purpose,
    user,
    clientId: client?.record.client_id,
    lifetimeSeconds: seconds === 0 ? undefined : seconds,
    request: {
      ...more,
      include_email_in_redirect: body.includeEmailInRedirect,
      ...(resultUrl !== undefined && { result_url: resultUrl }),
      ...(organization && { organization_id: organization.id }),
    },
  });
}

/**
 * Returns the account whose password is set: the user's primary account, or the linked account that `identity` refers
 * to.
 */
async function passwordAccount(tenant: RequestTenant, body: z.infer<typeof createPasswordTicketSchema>): Promise<Row<"users">> {
  const { identity } = body;
  if (!("user_id" in body)) {
    const connection = await tenant.connections.byId(body.connection_id);
    if (connection?.strategy !== "auth0") throw invalidBody("'connection_id' is not a database connection");
    const account = await findOne(tenant.data.users, { connection: connection.name, email_key: body.email });
    if (account === undefined) throw noSuchUser();
    return account;
  }
  const user = await findPrimary(tenant, body.user_id);
  const account = identity === undefined ? user : await findIdentity(tenant, user, identity);
  if ((await tenant.connections.named(account.connection))?.strategy !== "auth0")
    throw invalidBody("the account's connection has no passwords");
  return account;
}
