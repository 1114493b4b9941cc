import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { readAll } from "../../store/read-all.ts";
import { isExpired, revokeFamily, withExpiry } from "../../tokens/refresh-tokens/refresh-token.ts";
import { PosternError } from "../../errors.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import {
  createDeviceCredentialSchema,
  deviceCredentialSchema,
  deviceCredentialTypeSchema,
  publicKeyFields,
  publicKeyToDeviceCredential,
  toDeviceCredential,
} from "../../model/sessions/device-credentials.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { pageReply } from "../kit/slice.ts";
import { requireUserToken } from "../users/own-user.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const path = "/api/v2/device-credentials";

/** The maximum number of public keys that a user may have for one client. */
const maximumKeys = 20;

/** The maximum number of rows that one query reads for a list. */
const mostRows = 1000;

type DeviceCredential = z.infer<typeof deviceCredentialSchema>;

const credentialListQuerySchema = pageQuerySchema.extend({
  user_id: z.string().min(1).max(255).exactOptional(),
  client_id: clientIdSchema.exactOptional(),
  type: deviceCredentialTypeSchema.exactOptional(),
});

/** The routes for refresh tokens in the format of Auth0's device credentials, and for the public keys of devices. */
export const deviceCredentialRoutes = [
  route({
    method: "GET",
    path,
    summary: "List device credentials",
    description:
      `Lists the refresh tokens that are still valid, then the public keys, each in the order of their creation. Without \`user_id\`, considers the ${mostRows} newest ` +
      `refresh tokens that were neither rotated nor revoked. Lists at most the ${mostRows} newest public keys.`,
    scopes: ["read:device_credentials"],
    query: credentialListQuerySchema,
    responses: { 200: listResponse("device_credentials", deviceCredentialSchema) },
  })(async ({ query }, { tenant }) => {
    const { user_id: userId, client_id: ofClient, type: ofType, ...page } = query;
    const all = [...(await refreshTokensOf(tenant, userId, ofClient)), ...(await publicKeysOf(tenant, userId, ofClient))];
    const found = all.filter(({ client_id: clientId, type }) => (ofClient ?? clientId) === clientId && (ofType ?? type) === type);
    return pageReply(tenant, page, found, { key: "device_credentials", list: ["device-credentials", userId, ofClient, ofType] });
  }),
  route({
    method: "POST",
    path,
    summary: "Register a public key of a device",
    description:
      `Stores a public key for the user of the access token. The key is listed and can be deleted; it has no other effect. A user has at most ${maximumKeys} public keys ` +
      "for each client.",
    scopes: ["create:current_user_device_credentials"],
    body: createDeviceCredentialSchema,
    responses: { 201: z.strictObject({ id: z.string() }), 409: { error: "conflict" } },
  })(async ({ body }, context) => {
    const { type: _, client_id: clientId = context.caller.clientId, ...key } = body;
    return { id: await addPublicKey(context.tenant, { ...key, user_id: requireUserToken(context), client_id: clientId }) };
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a device credential",
    description:
      "Deletes the public key or the refresh token. Also revokes the token's rotation family and the access tokens of its grant. Returns 204 even if the credential does not " +
      "exist, so that a call can be retried. With only `delete:current_user_device_credentials`, users can delete only their own credentials; those of other users are treated " +
      "as if they did not exist.",
    scopes: ["delete:device_credentials", "delete:current_user_device_credentials"],
    responses: { 204: null },
  })(async ({ params: { id } }, context) => {
    const { data } = context.tenant;
    const where = { id, ...(!context.caller.scopes.has("delete:device_credentials") && { user_id: requireUserToken(context) }) };
    await data.device_credentials.delete(where);
    const token = await findOne(data.refresh_tokens, where);
    if (token === undefined) return;
    await revokeFamily(context.tenant, token, "revoked");
    await data.refresh_tokens.delete({ id });
  }),
];

/** Returns the conditions that an index covers. `client_id` is also checked for each row. */
function conditions(userId: string | undefined, clientId: string | undefined) {
  if (userId !== undefined) return { user_id: userId };
  return clientId === undefined ? {} : { client_id: clientId };
}

/** Ids begin with the time of their creation. */
const newestFirst = { fields: ["id"], direction: "desc" } as const;

/** Returns the valid refresh tokens of a user, or the newest ones of a client or of the tenant, oldest first. */
async function refreshTokensOf(tenant: RequestTenant, userId?: string, clientId?: string): Promise<readonly DeviceCredential[]> {
  const { refresh_tokens: tokens } = tenant.data;
  const where = { ...conditions(userId, clientId), rotated_at: null, revoked_at: null };
  const rows =
    userId === undefined
      ? (await tokens.find({ where, orderBy: newestFirst, limit: mostRows })).toReversed()
      : await readAll(tokens, ["created_at", "id"], where);
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

/** Returns the newest public keys of a user, a client or the tenant, oldest first. */
async function publicKeysOf({ data }: RequestTenant, userId?: string, clientId?: string): Promise<readonly DeviceCredential[]> {
  const where = conditions(userId, clientId);
  const rows = await data.device_credentials.find({ where, fields: publicKeyFields, orderBy: newestFirst, limit: mostRows });
  return rows.toReversed().map(publicKeyToDeviceCredential);
}

/**
 * Stores a public key. @returns its id.
 * @throws {PosternError} `invalid_request` if the client does not exist; `conflict` if the user has too many keys for the
 * client, or if the user or the client was deleted, or the user linked, by another request.
 */
async function addPublicKey(
  tenant: RequestTenant,
  key: Pick<Row<"device_credentials">, "user_id" | "client_id" | "device_name" | "device_id" | "value">,
): Promise<string> {
  const { device_credentials: keys, users, clients } = tenant.data;
  const { user_id, client_id } = key;
  if ((await tenant.client(client_id)) === undefined) throw invalidBody(`'client_id' is '${client_id}', which does not exist`);
  const id = tenant.random.record("dcr_");
  await keys.insert([{ ...key, id, created_at: tenant.now() }]);
  // Checked after the insertion: parallel requests cannot exceed the maximum together, and a deletion that did not see
  // the new key is seen here.
  const [count, hasUser, hasClient] = await Promise.all([
    keys.count({ user_id, client_id }),
    users.count({ user_id, linked_to: "" }),
    clients.count({ client_id }),
  ]);
  if (count <= maximumKeys && hasUser === 1 && hasClient === 1) return id;
  await keys.delete({ id });
  throw new PosternError(
    "conflict",
    count > maximumKeys
      ? `a user has at most ${maximumKeys} public keys for a client`
      : "the user or the client was changed by another request",
  );
}
