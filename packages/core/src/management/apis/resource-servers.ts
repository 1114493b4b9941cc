import type * as z from "zod";
import { schema, type Row } from "../../store/schema.ts";
import { removeApiChildren } from "../../identity/access/remove-api.ts";
import { PosternError } from "../../errors.ts";
import { listQuerySchema } from "../../http/pagination.ts";
import { queryList } from "../../model/fields.ts";
import {
  createResourceServerSchema,
  fromCreateResourceServer,
  fromUpdateResourceServer,
  apiIdentifierSchema,
  resourceServerSchema,
  toResourceServer,
  updateResourceServerSchema,
} from "../../model/apis/resource-servers.ts";
import { publicIdentifier, reservedText, systemIdentifier, systemSettings } from "../../tenants/audience.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { crud } from "../kit/crud.ts";

/** The routes for APIs (resource servers). `{id}` may also be the identifier of the API. */
export const resourceServerRoutes = crud({
  path: "/api/v2/resource-servers",
  noun: "an API",
  key: "resource_servers",
  scopes: {
    read: ["read:resource_servers"],
    create: ["create:resource_servers"],
    update: ["update:resource_servers"],
    delete: ["delete:resource_servers"],
  },
  description: schema.resource_servers,
  collection: (data) => data.resource_servers,
  notFound: "inexistent_resource_server",
  item: resourceServerSchema,
  create: createResourceServerSchema,
  update: updateResourceServerSchema,
  listQuery: listQuerySchema.extend({ identifiers: queryList(apiIdentifierSchema).exactOptional() }),
  listWhere: async ({ identifiers }, { tenant }) => {
    if (identifiers === undefined) return {};
    return { identifier: { in: await Promise.all(identifiers.map((one) => systemIdentifier(tenant, one))) } };
  },
  toRecord: async (body, { tenant }) => {
    const reserved = await reservedText(tenant, body.identifier);
    if (reserved !== undefined) throw new PosternError("conflict", reserved);
    if (await tenant.isReservedIdentifier(body.identifier)) {
      throw new PosternError("conflict", "this identifier belongs to an API of the control plane");
    }
    return {
      record: {
        id: tenant.random.record(),
        is_system: false,
        origin: null,
        ...fromCreateResourceServer(body, tenant.config.signingAlgorithm),
      },
    };
  },
  toChange: async (row, body, { tenant }) => {
    if (row.is_system) throw new PosternError("forbidden", "the Management API cannot be changed");
    const change = fromUpdateResourceServer(row, body);
    return tenant.controlPlaneSync.checkChange(row, toResourceServer(row), toResourceServer({ ...row, ...change })) ? change : undefined;
  },
  afterWrite: async (_row, _body, { tenant }) => tenant.controlPlaneSync.changed(),
  find: async (id, { tenant }) => ((await tenant.ownApi(id)) ?? (await tenant.ownApi(decodeAgain(id))))?.record,
  present: presentApis,
  checkRemoval: async (row, { tenant }) => {
    if (row.is_system) throw new PosternError("forbidden", "the Management API cannot be deleted");
    tenant.controlPlaneSync.checkRemoval(row, "resourceServers");
  },
  removeChildren: async (row, { data, controlPlaneSync }, limit) => {
    await controlPlaneSync.changed();
    await removeApiChildren(data, row, limit);
  },
});

/** Converts APIs to the response format. */
export function presentApis(
  rows: readonly Row<"resource_servers">[],
  { tenant }: { readonly tenant: RequestTenant },
): readonly z.infer<typeof resourceServerSchema>[] {
  return rows.map((row) => ({
    ...toResourceServer(row),
    identifier: publicIdentifier(row.identifier, tenant.urls.issuer),
    ...systemSettings(row),
  }));
}

/**
 * Decodes an identifier that the caller percent-encoded twice, as Auth0's Terraform provider and its CLI do. Returns an
 * identifier that is not encoded correctly as it is.
 */
function decodeAgain(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
