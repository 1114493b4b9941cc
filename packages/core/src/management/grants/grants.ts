import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { Filter, Match } from "../../store/contract.ts";
import { schema, type Row } from "../../store/schema.ts";
import { withdrawConsents } from "../../tokens/consents.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { grantSchema, toGrant } from "../../model/grants/grants.ts";
import { publicIdentifier, storedAudience } from "../../tenants/audience.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { isAnyOf, listRoute } from "../kit/list.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const path = "/api/v2/grants";
const userId = z.string().min(1).max(255);

const grantListQuerySchema = pageQuerySchema.extend({
  user_id: userId.exactOptional(),
  client_id: clientIdSchema.exactOptional(),
  audience: z.string().min(1).max(600).exactOptional(),
});

const listGrants = route({
  method: "GET",
  path,
  summary: "List the consents of users",
  description: "The consents that users gave to third-party clients, and to first-party clients if an API or a request required consent.",
  scopes: ["read:grants"],
  query: grantListQuerySchema,
  responses: { 200: listResponse("grants", grantSchema) },
})(async ({ query }, { tenant }) =>
  listRoute(tenant, query, {
    collection: tenant.data.consents,
    description: schema.consents,
    ...(await conditions(tenant, query)),
    key: "grants",
    defaultSort: { field: "created_at", direction: "asc" },
    present: (rows) => rows.map((row) => toGrant(row, shownAudience(tenant, row))),
  }),
);

const withdrawOfUser = route({
  method: "DELETE",
  path,
  operation: "grants.deleteAll",
  summary: "Revoke all consents that a user gave",
  description:
    "Also revokes the authorization codes and refresh tokens that the user's clients with a consent hold, and the access tokens that were issued with them. Returns 204 even if there are no consents.",
  scopes: ["delete:grants"],
  query: z.strictObject({ user_id: userId }),
  responses: { 204: null },
})(async ({ query }, { tenant }) => withdrawConsents(tenant, { user_id: query.user_id }));

const withdraw = route({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "Revoke a user's consent to one client and one API",
  description:
    "Also revokes the client's codes and refresh tokens for that API, and the access tokens that were issued with them. Returns 204 even if the consent does not exist.",
  scopes: ["delete:grants"],
  responses: { 204: null },
})(async ({ params }, { tenant }) => {
  await withdrawConsents(tenant, { id: params.id });
});

/** The routes for users' consents, which Auth0 calls grants. */
export const grantRoutes = [listGrants, withdrawOfUser, withdraw];

/**
 * Returns the conditions that select the consents. An index covers `user_id`, or `client_id` if there is no `user_id`.
 * All other parameters are checked for each row.
 */
async function conditions(
  tenant: RequestTenant,
  { user_id: ofUser, client_id: ofClient, audience }: z.output<typeof grantListQuerySchema>,
): Promise<{ readonly where: Match<Row<"consents">>; readonly only: readonly Filter[] }> {
  const byUser = ofUser !== undefined && { user_id: ofUser };
  const byClient = ofClient !== undefined && { client_id: ofClient };
  return {
    where: byUser || byClient || {},
    only: [
      ...(byUser && ofClient !== undefined ? [isAnyOf("client_id", ofClient)] : []),
      ...(audience === undefined ? [] : [isAnyOf("audience_hash", await sha256((await storedAudience(tenant, audience)) ?? ""))]),
    ],
  };
}

/**
 * Returns the audience of a consent for a response. If the tokens are for no API, the stored audience is '', and the
 * response contains the URL of `/userinfo`.
 */
function shownAudience({ urls }: RequestTenant, { audience }: Row<"consents">): string {
  return publicIdentifier(audience === "" ? null : audience, urls.issuer);
}
