import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { findByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import { createInvitation, ticketOf } from "../../identity/organizations/invitations.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, listQuerySchema, listResponse } from "../../http/pagination.ts";
import { queryInteger } from "../../model/fields.ts";
import { organizationLook } from "../../model/organizations/branding.ts";
import { createInvitationSchema, invitationSchema, toInvitation, type InvitationLink } from "../../model/organizations/invitations.ts";
import { invalidBody } from "../../model/settings.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireGrantableMembership, requireGrantableRoles, hasAllScopes, canGrant, grantsScopes } from "../authority.ts";
import { findOrganization } from "./find-organization.ts";
import { invitationMail } from "../../messages/mails/invitation.ts";
import { limitMessageWithoutCode } from "../../messages/message-limits.ts";
import { canMail, sendMail } from "../../messages/send.ts";
import { listRoute } from "../kit/list.ts";

const path = "/api/v2/organizations/:id/invitations";
const missing = { 404: "inexistent_invitation" } as const;

const invitationListQuerySchema = listQuerySchema.extend({
  page: queryInteger(0, 1_000_000).exactOptional().meta({ description: "The first page is 0" }),
});

/**
 * The routes for invitations to an organization. Lists contain expired and accepted invitations until they are deleted.
 */
export const invitationRoutes = [
  route({
    method: "GET",
    path,
    summary: "List an organization's invitations",
    scopes: ["read:organization_invitations"],
    query: invitationListQuerySchema,
    responses: { 200: listResponse("invitations", invitationSchema), 404: { error: "not_found" } },
  })(async ({ params, query }, context) => {
    const { tenant } = context;
    const organization = await findOrganization(tenant, params.id);
    return listRoute(tenant, query, {
      collection: tenant.data.invitations,
      description: schema.invitations,
      where: { organization_id: organization.id },
      within: organization.id,
      key: "invitations",
      defaultSort: { field: "created_at", direction: "desc" },
      perPage: 50,
      firstPage: 0,
      present: (rows) => Promise.all(rows.map((row) => present(context, organization, row))),
    });
  }),
  route({
    method: "POST",
    path,
    summary: "Create an invitation to an organization",
    description: "Sends an email with the URL of the invitation unless `send_invitation_email` is false.",
    scopes: ["create:organization_invitations"],
    furtherScopes: [grantsScopes],
    body: createInvitationSchema,
    responses: {
      201: invitationSchema,
      404: { error: "not_found" },
      429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many messages were sent to the email address" },
    },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const organization = await findOrganization(tenant, params.id);
    await check(tenant, organization, body);
    await requireGrantableRoles(context, body.roles);
    await requireGrantableMembership(context, organization.id);
    if (body.send_invitation_email && canMail(tenant)) {
      const refusal = await limitMessageWithoutCode(tenant, { channel: "email", address: body.invitee.email, isManagement: true });
      if (refusal !== undefined) throw refusal;
    }
    const row = await createInvitation(tenant, organization.id, body);
    const link = await linkOf(tenant, organization, row);
    // The invitation is valid even if its email cannot be sent, because the response contains its URL.
    if (body.send_invitation_email && link !== undefined) await mailInvitation(tenant, organization, row, link.url);
    return toInvitation(row, link);
  }),
  route({
    method: "GET",
    path: `${path}/:invitation_id`,
    summary: "Get an invitation",
    scopes: ["read:organization_invitations"],
    query: listFieldSelectionSchema,
    responses: { 200: invitationSchema, ...missing },
  })(async ({ params }, context) => {
    const { tenant } = context;
    const organization = await findOrganization(tenant, params.id);
    const where = { id: params.invitation_id, organization_id: organization.id };
    const row = await findOne(tenant.data.invitations, where);
    if (row === undefined) throw new PosternError("not_found", "there is no such invitation", { errorCode: "inexistent_invitation" });
    return present(context, organization, row);
  }),
  route({
    method: "DELETE",
    path: `${path}/:invitation_id`,
    summary: "Delete an invitation",
    description:
      "The link in the invitation becomes invalid. A user who has accepted the invitation stays a member. Returns 204 even if the invitation does not exist, so that a call can be retried.",
    scopes: ["delete:organization_invitations"],
    responses: { 204: null, 404: { error: "not_found" } },
  })(async ({ params }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    await tenant.data.invitations.delete({ id: params.invitation_id, organization_id: id });
  }),
];

async function mailInvitation(
  tenant: RequestTenant,
  organization: Row<"organizations">,
  row: Row<"invitations">,
  link: string,
): Promise<void> {
  const facts = { inviter: row.inviter_name, organization: organizationLook(organization).name, link, expiresAt: row.expires_at };
  const client = await tenant.client(row.client_id);
  await sendMail(tenant, invitationMail(facts), { to: row.invitee_email, organization, client });
}

/**
 * Requires that the client, the connection and the roles in the body exist, so that the invitation can be accepted.
 * @throws {PosternError} `invalid_request` that names what does not exist.
 */
async function check(tenant: RequestTenant, { id }: Row<"organizations">, body: z.infer<typeof createInvitationSchema>): Promise<void> {
  const { client_id: clientId, connection_id: connectionId, roles } = body;
  if ((await tenant.client(clientId)) === undefined) throw invalidBody(`'client_id' is '${clientId}', which does not exist`);
  if (connectionId !== undefined) {
    if ((await tenant.connections.byId(connectionId)) === undefined) {
      throw invalidBody(`'connection_id' is '${connectionId}', which does not exist`);
    }
    const enabled = await tenant.organizationConnections(id);
    if (enabled.length > 0 && !enabled.some((row) => row.connection_id === connectionId)) {
      throw invalidBody("'connection_id' is a connection that is not enabled for the organization");
    }
  }
  const found = await findByIds(tenant.data.roles, "id", roles);
  const unknown = roles.find((roleId) => !found.some((role) => role.id === roleId));
  if (unknown !== undefined) throw invalidBody(`'roles' contains '${unknown}', which does not exist`);
}

async function present(
  context: ManagementContext,
  organization: Row<"organizations">,
  row: Row<"invitations">,
): Promise<z.infer<typeof invitationSchema>> {
  return toInvitation(row, (await mayOpen(context, organization, row)) ? await linkOf(context.tenant, organization, row) : undefined);
}

/**
 * Whether the caller may read the link in an invitation. Its holder becomes a member with the roles of the invitation,
 * so only a caller who could create the same invitation may read the link.
 */
async function mayOpen(context: ManagementContext, { id }: Row<"organizations">, { roles }: Row<"invitations">): Promise<boolean> {
  if (hasAllScopes(context)) return true;
  return (
    context.caller.scopes.has("create:organization_invitations") &&
    (await canGrant(context, (asking) => requireGrantableRoles(asking, roles))) &&
    canGrant(context, (asking) => requireGrantableMembership(asking, id))
  );
}

/** Returns the link in an invitation, or undefined if the ticket of the invitation can no longer be used. */
async function linkOf(
  tenant: RequestTenant,
  organization: Row<"organizations">,
  row: Row<"invitations">,
): Promise<InvitationLink | undefined> {
  const ticket = await ticketOf(tenant, row);
  return ticket === undefined ? undefined : { ticket, url: await invitationUrl(tenant, organization, row, ticket) };
}

/**
 * Returns the URL at which a user accepts an invitation. It is the login URL of the client, otherwise the default login
 * URL of the tenant, otherwise a hosted page. A login URL starts a login with the same query parameters. The query
 * contains the ticket under both names that client libraries use.
 */
async function invitationUrl(
  tenant: RequestTenant,
  { id, name }: Row<"organizations">,
  { client_id: clientId }: Row<"invitations">,
  ticket: string,
): Promise<string> {
  const client = await tenant.client(clientId);
  const candidates = [client?.settings.initiate_login_uri, tenant.settings.default_redirection_uri];
  const own = candidates.map((address = "") => address.replaceAll("{organization_name}", name)).find(isAddress);
  const url = new URL(own ?? tenant.urls.urlFor("/u/invitation"));
  for (const [parameter, value] of Object.entries({ invitation: ticket, ticket, organization: id, organization_name: name })) {
    url.searchParams.set(parameter, value);
  }
  if (own === undefined) url.searchParams.set("client_id", clientId);
  return url.href;
}

/**
 * Returns `true` if a text is a URL without a wildcard. A URL with a wildcard stands for many URLs and cannot be
 * opened.
 */
function isAddress(text: string): boolean {
  return URL.canParse(text) && !text.includes("*");
}
