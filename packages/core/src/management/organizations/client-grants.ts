import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { findByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import { assignClientGrant } from "../../identity/organizations/client-grants.ts";
import { PosternError } from "../../errors.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { queryList } from "../../model/fields.ts";
import {
  addOrganizationClientGrantSchema,
  organizationClientGrantSchema,
  toOrganizationClientGrant,
} from "../../model/grants/client-grants.ts";
import { organizationSummarySchema, toOrganizationSummary } from "../../model/organizations/organizations.ts";
import { invalidBody } from "../../model/settings.ts";
import { publicIdentifier, systemIdentifier } from "../../tenants/audience.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { grantedScopes } from "../../tenants/callers/permissions.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireGrantableScopes, grantsScopes } from "../authority.ts";
import { isAnyOf, listRoute } from "../kit/list.ts";
import { findOrganization } from "./find-organization.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const path = "/api/v2/organizations/:id/client-grants";
const missing = { 404: { error: "not_found" } } as const;

const organizationClientGrantListQuerySchema = pageQuerySchema.extend({
  audience: z.string().max(600).exactOptional(),
  client_id: clientIdSchema.exactOptional(),
  grant_ids: queryList(z.string().min(1).max(64)).exactOptional(),
});

const ofOrganization = [
  route({
    method: "GET",
    path,
    summary: "List an organization's client grants",
    description:
      "The client grants that are assigned to the organization. Grants that allow any organization are listed only if they are also assigned to it.",
    scopes: ["read:organization_client_grants"],
    query: organizationClientGrantListQuerySchema,
    responses: { 200: listResponse("client_grants", organizationClientGrantSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    const { audience, client_id: clientId, grant_ids: grantIds } = query;
    return listRoute(tenant, query, {
      collection: tenant.data.organization_client_grants,
      description: schema.organization_client_grants,
      where: { organization_id: id, ...(grantIds !== undefined && { grant_id: { in: grantIds } }) },
      only: [
        ...(audience === undefined ? [] : [isAnyOf("audience", await systemIdentifier(tenant, audience))]),
        ...(clientId === undefined ? [] : [isAnyOf("client_id", clientId)]),
      ],
      within: id,
      key: "client_grants",
      defaultSort: { field: "organization_id", direction: "asc" },
      present: async (rows) => {
        const ids = rows.map(({ grant_id: of }) => of);
        return (await findByIds(tenant.data.client_grants, "id", ids)).map((row) => present(tenant, row));
      },
    });
  }),
  route({
    method: "POST",
    path,
    summary: "Assign a client grant to an organization",
    description:
      "The client may then act for the organization with the scopes of the grant, if the `organization_usage` of the grant is `allow` or `require`.",
    scopes: ["create:organization_client_grants"],
    furtherScopes: [grantsScopes],
    body: addOrganizationClientGrantSchema,
    responses: { 201: organizationClientGrantSchema, ...missing, 409: { error: "conflict" } },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const { id } = await findOrganization(tenant, params.id);
    const grant = await findOne(tenant.data.client_grants, { id: body.grant_id });
    if (grant === undefined) throw new PosternError("not_found", "body: 'grant_id' is not a client grant");
    if (grant.subject_type !== "client")
      throw invalidBody("'grant_id' must have the subject type 'client': for users, memberships determine the organizations");
    const api = await tenant.api(publicIdentifier(grant.audience, tenant.urls.issuer));
    if (api?.record.is_system === true) requireGrantableScopes(context, grantedScopes(grant, api));
    if (!(await assignClientGrant(tenant, id, grant))) {
      throw new PosternError("conflict", "the organization already has this client grant");
    }
    return present(tenant, grant);
  }),
  route({
    method: "DELETE",
    path: `${path}/:grant_id`,
    summary: "Remove a client grant from an organization",
    description:
      "The Management API then rejects the client's tokens for the organization. Returns 204 even if the grant is not assigned, so that a call can be retried.",
    scopes: ["delete:organization_client_grants"],
    responses: { 204: null, ...missing },
  })(async ({ params }, { tenant }) => {
    const { id } = await findOrganization(tenant, params.id);
    await tenant.data.organization_client_grants.delete({ organization_id: id, grant_id: params.grant_id });
  }),
];

const ofGrant = route({
  method: "GET",
  path: "/api/v2/client-grants/:id/organizations",
  summary: "List the organizations that a client grant is assigned to",
  scopes: ["read:organization_client_grants"],
  query: pageQuerySchema,
  responses: { 200: listResponse("organizations", organizationSummarySchema), 404: "inexistent_client_grant" },
})(async ({ params: { id }, query }, { tenant }) => {
  if ((await tenant.data.client_grants.count({ id })) === 0) {
    throw new PosternError("not_found", "there is no such client grant", { errorCode: "inexistent_client_grant" });
  }
  return listRoute(tenant, query, {
    collection: tenant.data.organization_client_grants,
    description: schema.organization_client_grants,
    where: { grant_id: id },
    within: id,
    key: "organizations",
    defaultSort: { field: "organization_id", direction: "asc" },
    present: async (rows) => {
      const ids = rows.map(({ organization_id: of }) => of);
      return (await findByIds(tenant.data.organizations, "id", ids)).map(toOrganizationSummary);
    },
  });
});

/**
 * The routes for the organizations that a client grant is assigned to. A client may request tokens for these
 * organizations. If the grant allows any organization, no assignment is required.
 */
export const organizationClientGrantRoutes = [...ofOrganization, ofGrant];

function present(tenant: RequestTenant, row: Row<"client_grants">): z.infer<typeof organizationClientGrantSchema> {
  return { ...toOrganizationClientGrant(row), audience: publicIdentifier(row.audience, tenant.urls.issuer) };
}
