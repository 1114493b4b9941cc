import { listFieldSelectionSchema } from "../../http/pagination.ts";
import {
  fromUpdateTenantSettings,
  tenantSettingsReplySchema,
  toTenantSettings,
  updateTenantSettingsSchema,
} from "../../model/tenant/settings-bodies.ts";
import { route } from "../../tenants/callers/route-context.ts";

/** The paths of the tenant settings. The second is Auth0's. */
const paths = ["/api/v2/tenants", "/api/v2/tenants/settings"] as const;

const read = paths.map((path) =>
  route({
    method: "GET",
    path,
    operation: "settings.get",
    summary: "Get the tenant's settings",
    scopes: ["read:tenant_settings"],
    query: listFieldSelectionSchema,
    responses: { 200: tenantSettingsReplySchema },
  })(async (_, { tenant }) => toTenantSettings(tenant.record)),
);

const update = route({
  method: "PATCH",
  path: "/api/v2/tenants/settings",
  operation: "settings.update",
  summary: "Update the tenant's settings",
  description: "Omitted members stay unchanged. Lifetimes can be set in hours or in minutes.",
  scopes: ["update:tenant_settings"],
  body: updateTenantSettingsSchema,
  responses: { 200: tenantSettingsReplySchema, 409: { error: "conflict" } },
})(async ({ body }, { tenant }) => toTenantSettings(await tenant.change((record) => fromUpdateTenantSettings(record, body))));

export const tenantSettingsRoutes = [...read, update];
