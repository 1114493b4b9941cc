import * as z from "zod";
import { schema } from "../../store/schema.ts";
import { removeAssignedClientGrant } from "../../identity/organizations/client-grants.ts";
import { PosternError } from "../../errors.ts";
import { listQuerySchema } from "../../http/pagination.ts";
import { thirdPartyClients } from "../../model/clients/external.ts";
import {
  clientGrantSchema,
  createClientGrantSchema,
  fromCreateClientGrant,
  fromUpdateClientGrant,
  widensAccess,
  toClientGrant,
  updateClientGrantSchema,
} from "../../model/grants/client-grants.ts";
import { invalidBody } from "../../model/settings.ts";
import { publicIdentifier, systemIdentifier } from "../../tenants/audience.ts";
import type { ManagementContext } from "../../tenants/callers/route-context.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import { grantedScopes } from "../../tenants/callers/permissions.ts";
import { requireGrantableScopes, grantsScopes } from "../authority.ts";
import { crud } from "../kit/crud.ts";
import { isAnyOf } from "../kit/list.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const clientGrantListQuerySchema = listQuerySchema.extend({
  client_id: clientIdSchema.exactOptional(),
  default_for: z.literal("third_party_clients").exactOptional(),
  audience: z.string().max(600).exactOptional(),
  subject_type: z.enum(["client", "user"]).exactOptional(),
  allow_any_organization: z.literal("true").exactOptional(),
});

/** The routes for client grants, which determine the API scopes that a client may request. */
export const clientGrantRoutes = crud({
  path: "/api/v2/client-grants",
  noun: "a client grant",
  key: "client_grants",
  scopes: {
    read: ["read:client_grants"],
    create: ["create:client_grants"],
    update: ["update:client_grants"],
    delete: ["delete:client_grants"],
  },
  furtherScopes: { create: [grantsScopes], update: [grantsScopes] },
  description: schema.client_grants,
  collection: (data) => data.client_grants,
  notFound: "inexistent_client_grant",
  missingReference: { error: "not_found: the client or the API does not exist" },
  item: clientGrantSchema,
  create: createClientGrantSchema,
  update: updateClientGrantSchema,
  listQuery: clientGrantListQuerySchema,
  listWhere: async ({ client_id, default_for, audience }, { tenant }) => ({
    ...(default_for !== undefined && { client_id: thirdPartyClients }),
    ...(client_id !== undefined && { client_id }),
    ...(audience !== undefined && { audience: await systemIdentifier(tenant, audience) }),
  }),
  listOnly: ({ subject_type: subject, allow_any_organization: anyOrganization }) => [
    ...(subject === undefined ? [] : [isAnyOf("subject_type", subject)]),
    ...(anyOrganization === undefined ? [] : [isAnyOf("allow_any_organization", true)]),
  ],
  toRecord: async (body, context) => {
    const { tenant } = context;
    if ("client_id" in body && (await tenant.client(body.client_id)) === undefined) {
      throw new PosternError("not_found", "body: 'client_id' is not a client", { errorCode: "inexistent_client" });
    }
    const api = await tenant.api(body.audience);
    if (api === undefined) {
      throw new PosternError("not_found", "body: 'audience' is not an API", { errorCode: "inexistent_resource_server" });
    }
    checkScopesExist(api, body.scope ?? []);
    if ("default_for" in body && api.record.is_system)
      throw invalidBody("'default_for' must not be used for an API of this service: anyone can register a third-party client");
    const columns = fromCreateClientGrant(body);
    if (api.record.is_system) requireGrantableScopes(context, grantedScopes(columns, api));
    return { record: { id: tenant.random.record("cgr_"), ...columns, audience: api.record.identifier } };
  },
  toChange: async (row, body, context) => {
    const api = await apiOf(row.audience, context);
    const change = fromUpdateClientGrant(row, body);
    if (api === undefined) return change;
    checkScopesExist(
      api,
      (body.scope ?? []).filter((scope) => !row.scope.includes(scope)),
    );
    // If the change lets the client request tokens that it could not request before, the caller must hold all scopes of
    // the grant.
    const before = widensAccess(row, change) ? [] : grantedScopes(row, api);
    if (api.record.is_system)
      requireGrantableScopes(
        context,
        grantedScopes(change, api).filter((scope) => !before.includes(scope)),
      );
    return change;
  },
  present: (rows, { tenant }) =>
    rows.map((row) => ({ ...toClientGrant(row), audience: publicIdentifier(row.audience, tenant.urls.issuer) })),
  removeChildren: ({ id }, { data }, limit) => removeAssignedClientGrant(data, id, limit),
});

function apiOf(stored: string, { tenant }: ManagementContext): Promise<CachedApi | undefined> {
  return tenant.api(publicIdentifier(stored, tenant.urls.issuer));
}

/**
 * Requires that the API defines all of these scopes.
 * @throws {PosternError} `invalid_request` that names an undefined scope.
 */
function checkScopesExist({ settings }: CachedApi, scopes: readonly string[]): void {
  const existing = new Set((settings.scopes ?? []).map(({ value }) => value));
  const unknown = scopes.find((scope) => !existing.has(scope));
  if (unknown !== undefined) throw invalidBody(`'scope' contains '${unknown}', which the API does not define`);
}
