import { Client } from "../../model/clients/bodies.ts";
import { fromUpdateGlobalClient, globalClientId, toGlobalClient, UpdateGlobalClient } from "../../model/clients/global-client.ts";
import { FieldSelection } from "../../http/pagination.ts";
import { route } from "../../tenants/callers/route-context.ts";

const path = `/api/v2/clients/${globalClientId}` as const;
const description = "It stands for all applications, as the vendor's tools expect one to, and nobody signs in with it.";

/** Auth0's "All Applications" client, in which Auth0's deploy CLI stores the custom login page of a tenant. */
export const globalClient = [
  route({
    method: "GET",
    path,
    summary: "Get the global client",
    description,
    scopes: ["read:clients"],
    query: FieldSelection,
    responses: { 200: Client },
  })(async (_, { tenant }) => toGlobalClient(tenant.record)),
  route({
    method: "PATCH",
    path,
    summary: "Change the global client",
    description: `${description} What is not sent stays as it is. The login page is kept, and shown to nobody.`,
    scopes: ["update:clients"],
    body: UpdateGlobalClient,
    responses: { 200: Client, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => toGlobalClient(await tenant.change((record) => fromUpdateGlobalClient(record, body)))),
];
