import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { isExpired, revokeFamily, withExpiry } from "../../tokens/refresh-tokens/refresh-token.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { deviceCredentialSchema, deviceCredentialTypeSchema, toDeviceCredential } from "../../model/sessions/device-credentials.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { pageReply } from "../kit/slice.ts";

const path = "/api/v2/device-credentials";

const credentialListQuerySchema = pageQuerySchema.extend({
  user_id: z.string().min(1).max(255),
  client_id: z.string().min(1).max(64).exactOptional(),
  type: deviceCredentialTypeSchema.exactOptional(),
});

/** The routes for the refresh tokens of a user, in the format of Auth0's device credentials. */
export const deviceCredentialRoutes = [
  route({
    method: "GET",
    path,
    summary: "List a user's device credentials",
    description:
      "Lists the user's refresh tokens that are still valid, in the order in which they were issued. Postern has no credentials of the type `public_key`.",
    scopes: ["read:device_credentials"],
    query: credentialListQuerySchema,
    responses: { 200: listResponse("device_credentials", deviceCredentialSchema) },
  })(async ({ query }, { tenant }) => {
    const { user_id: userId, client_id: ofClient, type: ofType, ...page } = query;
    const all = await credentialsOf(tenant, userId);
    const found = all.filter(({ client_id: clientId, type }) => (ofClient ?? clientId) === clientId && (ofType ?? type) === type);
    return pageReply(tenant, page, found, { key: "device_credentials", list: ["device-credentials", userId, ofClient, ofType] });
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a device credential",
    description:
      "Deletes the refresh token, and revokes its rotation family and the access tokens of its grant. Returns 204 even if the credential does not exist, so that a call can be retried.",
    scopes: ["delete:device_credentials"],
    responses: { 204: null },
  })(async ({ params }, { tenant }) => {
    const [row] = await tenant.data.refresh_tokens.find({ where: { id: params.id }, limit: 1 });
    if (row === undefined) return;
    await revokeFamily(tenant, row, "revoked");
    await tenant.data.refresh_tokens.delete({ id: row.id });
  }),
];

/** Returns the device credentials of a user, oldest first. */
async function credentialsOf(tenant: RequestTenant, userId: string): Promise<readonly z.infer<typeof deviceCredentialSchema>[]> {
  const where = { user_id: userId, rotated_at: null, revoked_at: null };
  const rows = await readAll(tenant.data.refresh_tokens, ["created_at", "id"], where);
  const credentials = await Promise.all(
    rows.map(async (row) => {
      const client = await tenant.client(row.client_id);
      if (client === undefined) return [];
      const { refresh_token: settings } = client.settings;
      if (isExpired(withExpiry(row, settings, client.record), tenant.now())) return [];
      return [toDeviceCredential(row, settings.rotation_type === "rotating")];
    }),
  );
  return credentials.flat();
}
