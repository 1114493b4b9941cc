import { ListFieldSelection } from "../../http/pagination.ts";
import {
  fromUpdateTenantSettings,
  TenantSettingsReply,
  toTenantSettings,
  UpdateTenantSettings,
} from "../../model/tenant/settings-bodies.ts";
import { route } from "../../tenants/callers/route-context.ts";

/** The paths of the tenant settings: the path in the specification, and Auth0's path. */
const paths = ["/api/v2/tenants", "/api/v2/tenants/settings"] as const;

const read = paths.map((path) =>
  route({
    method: "GET",
    path,
    operation: "settings.get",
    summary: "Get the tenant's settings",
    scopes: ["read:tenant_settings"],
    query: ListFieldSelection,
    responses: { 200: TenantSettingsReply },
  })(async (_, { tenant }) => toTenantSettings(tenant.record)),
);

const update = route({
  method: "PATCH",
  path: "/api/v2/tenants/settings",
  operation: "settings.update",
  summary: "Update the tenant's settings",
  description: "Omitted members stay unchanged. Lifetimes can be set in hours or in minutes.",
  scopes: ["update:tenant_settings"],
  body: UpdateTenantSettings,
  responses: { 200: TenantSettingsReply, 409: { error: "conflict" } },
})(async ({ body }, { tenant }) => toTenantSettings(await tenant.change((record) => fromUpdateTenantSettings(record, body))));

export const tenantSettingsRoutes = [...read, update];
