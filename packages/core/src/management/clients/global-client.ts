import { clientSchema } from "../../model/clients/bodies.ts";
import { fromUpdateGlobalClient, globalClientId, toGlobalClient, updateGlobalClientSchema } from "../../model/clients/global-client.ts";
import { listFieldSelectionSchema } from "../../http/pagination.ts";
import { route } from "../../tenants/callers/route-context.ts";

const path = `/api/v2/clients/${globalClientId}` as const;
const description = "The client that represents all applications in Auth0's tools. Users cannot sign in to it.";

/** The routes for Auth0's "All Applications" client. Auth0's deploy CLI stores a tenant's custom login page in it. */
export const globalClient = [
  route({
    method: "GET",
    path,
    summary: "Get the global client",
    description,
    scopes: ["read:clients"],
    query: listFieldSelectionSchema,
    responses: { 200: clientSchema },
  })(async (_, { tenant }) => toGlobalClient(tenant.record)),
  route({
    method: "PATCH",
    path,
    summary: "Update the global client",
    description: `${description} Omitted members stay unchanged. The login page is stored, but Postern never displays it.`,
    scopes: ["update:clients"],
    body: updateGlobalClientSchema,
    responses: { 200: clientSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => toGlobalClient(await tenant.change((record) => fromUpdateGlobalClient(record, body)))),
];
