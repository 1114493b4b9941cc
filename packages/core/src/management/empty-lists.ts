import * as z from "zod";
import { invalidCursor, listResponse, pagingQuerySchema } from "../http/pagination.ts";
import type { Route } from "../http/route.ts";
import { queryBooleanSchema, queryList } from "../model/fields.ts";
import type { Scope } from "../model/scopes.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { pageReply, sliceOf, sliceQuerySchema } from "./kit/slice.ts";
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
  responses: { 200: z.strictObject({ actions: nothing, ...numberedPageSchema() }) },
})(async ({ query }) => ({ actions: [], ...numberedPage(query) }));

const bindings = route({
  method: "GET",
  path: "/api/v2/actions/triggers/:triggerId/bindings",
  summary: "List the actions of a trigger",
  description,
  scopes: ["read:actions"],
  query: pagingQuerySchema,
  responses: { 200: z.strictObject({ bindings: nothing, ...numberedPageSchema() }) },
})(async ({ query }) => ({ bindings: [], ...numberedPage(query) }));

/** An empty list whose response has its items in a member. */
interface EmptyList<Path extends string = string> {
  /** The path after `/api/v2/`. */
  readonly path: Path;
  /** The name of the list in the response body. */
  readonly key: string;
  readonly scope: Scope;
  /** The query parameters that filter the list in Auth0. */
  readonly filters?: { readonly [name: string]: z.ZodType };
}

const disabled = queryBooleanSchema.exactOptional();
const hydrate = queryList(z.string().max(50)).exactOptional();

/** Lists for which Auth0 supports only checkpoint pagination, or no pagination. */
const ofTenant: readonly EmptyList[] = [
  { path: "user-attribute-profiles", key: "user_attribute_profiles", scope: "read:user_attribute_profiles" },
  { path: "connection-profiles", key: "connection_profiles", scope: "read:connection_profiles" },
  { path: "token-exchange-profiles", key: "token_exchange_profiles", scope: "read:token_exchange_profiles" },
  { path: "branding/phone/providers", key: "providers", scope: "read:phone_providers", filters: { disabled } },
  { path: "branding/phone/templates", key: "templates", scope: "read:phone_templates", filters: { disabled } },
];

/** Lists for which Auth0 supports pagination by offset, with and without totals. */
const byOffset: readonly EmptyList[] = [
  { path: "forms", key: "forms", scope: "read:forms", filters: { hydrate } },
  { path: "flows", key: "flows", scope: "read:flows", filters: { hydrate, synchronous: queryBooleanSchema.exactOptional() } },
  { path: "flows/vault/connections", key: "connections", scope: "read:flows_vault_connections" },
  { path: "network-acls", key: "network_acls", scope: "read:network_acls" },
  { path: "self-service-profiles", key: "self_service_profiles", scope: "read:self_service_profiles" },
];

const ofOrganization: readonly EmptyList<`organizations/:id/${string}`>[] = [
  { path: "organizations/:id/clients", key: "clients", scope: "read:organization_clients" },
  { path: "organizations/:id/discovery-domains", key: "domains", scope: "read:organization_discovery_domains" },
];

/**
 * Lists of entities that Auth0 has and Postern does not support. Auth0's tools stop or skip other entities if they cannot
 * read these lists (docs/decisions/0027-auth0s-deploy-cli-runs-unmodified.md).
 */
export const emptyLists: readonly Route[] = [
  actions,
  bindings,
  ...ofTenant.map((list) =>
    route({
      ...definitionOf(list),
      query: sliceQuerySchema.extend(list.filters ?? {}),
      responses: { 200: z.strictObject({ [list.key]: nothing }) },
    })(async ({ query }, { tenant }) => emptyPage(tenant, list, query)),
  ),
  ...byOffset.map((list) =>
    route({
      ...definitionOf(list),
      query: pagingQuerySchema.extend(list.filters ?? {}),
      responses: { 200: listResponse(list.key, z.never()) },
    })(async ({ query }, { tenant }) => pageReply(tenant, query, [], { key: list.key, list: [list.path] })),
  ),
  ...ofOrganization.map((list) =>
    route({
      ...definitionOf(list),
      query: sliceQuerySchema,
      responses: { 200: z.strictObject({ [list.key]: nothing }), 404: { error: "not_found" } },
    })(async ({ params, query }, { tenant }) => {
      await findOrganization(tenant, params.id);
      return emptyPage(tenant, list, query);
    }),
  ),
];

function definitionOf<Path extends string>({ path, scope }: EmptyList<Path>) {
  const entities = scope.slice("read:".length).replaceAll("_", " ");
  return {
    method: "GET",
    path: `/api/v2/${path}`,
    summary: `List ${entities.replace("organization ", "an organization's ")}`,
    description,
    scopes: [scope],
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

/** The members of a page of actions, next to its items. */
function numberedPageSchema() {
  return { total: z.literal(0), page: z.int(), per_page: z.int() };
}

/** Returns the members of an empty page of actions. @throws {PosternError} `invalid_request` for every cursor. */
function numberedPage({ page = 0, per_page: perPage = 10, from }: z.output<typeof pagingQuerySchema>) {
  if (from !== undefined) throw invalidCursor();
  return { total: 0, page, per_page: perPage } as const;
}
