import * as z from "zod";
import { invalidCursor, pagingQuerySchema } from "../http/pagination.ts";
import type { Route } from "../http/route.ts";
import { queryBooleanSchema } from "../model/fields.ts";
import type { Scope } from "../model/scopes.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { sliceOf, sliceQuerySchema } from "./kit/slice.ts";
import { findOrganization } from "./organizations/find-organization.ts";

const nothing = z.array(z.never());
const description = "The list is always empty: Postern does not support this kind of entity.";

const actions = route({
  method: "GET",
  path: "/api/v2/actions/actions",
  summary: "List actions",
  description,
  scopes: ["read:actions"],
  query: pagingQuerySchema.extend({
    triggerId: z.string().max(64).exactOptional(),
    actionName: z.string().max(255).exactOptional(),
    deployed: queryBooleanSchema.exactOptional(),
    installed: queryBooleanSchema.exactOptional(),
  }),
  responses: { 200: z.strictObject({ actions: nothing, total: z.literal(0), page: z.int(), per_page: z.int() }) },
})(async ({ query: { page = 0, per_page: perPage = 10, from } }) => {
  if (from !== undefined) throw invalidCursor();
  return { actions: [], total: 0, page, per_page: perPage };
});

/** A list for which Auth0 supports only checkpoint pagination. */
interface EmptyList<Path extends string = string> {
  /** The path after `/api/v2/`. */
  readonly path: Path;
  /** The name of the list in the response body. */
  readonly key: string;
  readonly scope: Scope;
}

const ofTenant: readonly EmptyList[] = [
  { path: "user-attribute-profiles", key: "user_attribute_profiles", scope: "read:user_attribute_profiles" },
  { path: "connection-profiles", key: "connection_profiles", scope: "read:connection_profiles" },
  { path: "token-exchange-profiles", key: "token_exchange_profiles", scope: "read:token_exchange_profiles" },
];

const ofOrganization: readonly EmptyList<`organizations/:id/${string}`>[] = [
  { path: "organizations/:id/clients", key: "clients", scope: "read:organization_clients" },
  { path: "organizations/:id/discovery-domains", key: "domains", scope: "read:organization_discovery_domains" },
];

/**
 * Lists of entities that Auth0 has and Postern does not support. Auth0's deploy CLI reads each of these lists before it
 * writes other kinds of entities. If a list is missing, the CLI stops or skips organizations
 * (docs/decisions/0027-auth0s-deploy-cli-runs-unmodified.md).
 */
export const emptyLists: readonly Route[] = [
  actions,
  ...ofTenant.map((list) =>
    route({
      ...definitionOf(list),
      responses: { 200: z.strictObject({ [list.key]: nothing }) },
    })(async ({ query }, { tenant }) => emptyPage(tenant, list, query)),
  ),
  ...ofOrganization.map((list) =>
    route({
      ...definitionOf(list),
      responses: { 200: z.strictObject({ [list.key]: nothing }), 404: { error: "not_found" } },
    })(async ({ params, query }, { tenant }) => {
      await findOrganization(tenant, params.id);
      return emptyPage(tenant, list, query);
    }),
  ),
];

function definitionOf<Path extends string>({ path, key, scope }: EmptyList<Path>) {
  return {
    method: "GET",
    path: `/api/v2/${path}`,
    summary: `List ${path.startsWith("organizations/") ? "an organization's " : ""}${key.replaceAll("_", " ")}`,
    description,
    scopes: [scope],
    query: sliceQuerySchema,
  } as const;
}

/** Returns an empty page. Rejects every cursor, because no response contains one. */
async function emptyPage(
  tenant: RequestTenant,
  { path, key }: EmptyList,
  query: z.output<typeof sliceQuerySchema>,
): Promise<{ readonly [key: string]: never[] }> {
  await sliceOf(tenant, [], query, [path]);
  return { [key]: [] };
}
