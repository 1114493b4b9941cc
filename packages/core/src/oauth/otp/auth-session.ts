import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { CodeAddress } from "../../identity/login/code-address.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/**
 * The content of an `auth_session`: a code that was sent to an email address or a phone number. Only the holder of the
 * `auth_session` can use the code.
 */
interface AuthSession {
  /** The value that is stored with the code instead of the ID of a login session. */
  readonly loginId: string;
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
}

const contentSchema = z.object({ id: z.string(), connection_id: z.string(), channel: z.enum(["email", "sms"]), to: z.string() });

function placeIn({ id: tenantId }: RequestTenant, { record }: RegisteredClient) {
  return { tenantId, collection: "auth_session", id: record.client_id, field: "auth_session" };
}

/**
 * Returns the `auth_session` for a client. The `auth_session` is encrypted, so that only Postern can read it and only
 * the same client can use it.
 */
export async function sealAuthSession(
  tenant: RequestTenant,
  client: RegisteredClient,
  { loginId, connection, address }: AuthSession,
): Promise<string> {
  const content: z.infer<typeof contentSchema> = { id: loginId, connection_id: connection.id, channel: address.channel, to: address.text };
  return tenant.secrets.sealer.seal(placeIn(tenant, client), JSON.stringify(content));
}

/**
 * Decrypts an `auth_session`.
 * @throws {PosternError} `invalid_grant` if the `auth_session` is invalid, or if the client no longer offers the
 * connection.
 */
export async function openAuthSession(tenant: RequestTenant, client: RegisteredClient, text: string): Promise<AuthSession> {
  const unknown = new PosternError("invalid_grant", "'auth_session' is unknown");
  const opened = await tenant.secrets.sealer.open(placeIn(tenant, client), text).catch(() => {
    throw unknown;
  });
  const { id, connection_id, channel, to } = contentSchema.parse(JSON.parse(opened));
  const connection = await tenant.connections.byId(connection_id);
  if (connection === undefined || !(await tenant.connections.offers(client, connection_id))) throw unknown;
  return { loginId: id, connection, address: { channel, text: to } };
}
