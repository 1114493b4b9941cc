import { listFieldSelectionSchema } from "../../http/pagination.ts";
import { brandingSchema, fromUpdateBranding, toBranding, updateBrandingSchema } from "../../model/tenant/branding.ts";
import { route } from "../../tenants/callers/route-context.ts";

const path = "/api/v2/branding";

/** The routes for the branding of the login pages. */
export const branding = [
  route({
    method: "GET",
    path,
    summary: "Get the branding",
    scopes: ["read:branding"],
    query: listFieldSelectionSchema,
    responses: { 200: brandingSchema },
  })(async (_, { tenant }) => toBranding(tenant.record)),
  route({
    method: "PATCH",
    path,
    summary: "Update the branding",
    description: "Omitted members stay unchanged, including individual colors. `null` removes a setting.",
    scopes: ["update:branding"],
    body: updateBrandingSchema,
    responses: { 200: brandingSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => toBranding(await tenant.change((record) => ({ branding: fromUpdateBranding(record, body) })))),
];
