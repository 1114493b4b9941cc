import type { Match } from "../store/contract.ts";
import { removeAll } from "../store/remove-all.ts";
import type { Row } from "../store/schema.ts";
import { rowsBeforeReply, WorkLimit } from "../store/work-limit.ts";
import { removeClientGrants } from "../identity/organizations/client-grants.ts";
import type { RequestTenant } from "./tenant.ts";

type ClientKey = Pick<Row<"clients">, "client_id">;

/**
 * Deletes a client and everything that refers to it. `sweep` deletes what is left after an interruption.
 * @param condition must hold for the client when its deletion starts.
 * @returns `false` if the client does not exist, or if the condition does not hold. Nothing is deleted then.
 */
export async function removeClient(
  tenant: RequestTenant,
  client: ClientKey,
  condition: Match<Row<"clients">>,
  limit = new WorkLimit(rowsBeforeReply),
): Promise<boolean> {
  const key = { client_id: client.client_id };
  // From here on, every query treats the client as deleted, even after a crash.
  const started = await tenant.data.clients.update({ ...condition, ...key }, { set: { deleting_at: tenant.now() } });
  if (started === 0) return false;
  await limit.run(() => finishRemovedClient(client, tenant, limit));
  return true;
}

/** Completes the deletion of a client. Idempotent. @throws if the row limit is reached; see {@link WorkLimit.run}. */
export async function finishRemovedClient(client: ClientKey, tenant: RequestTenant, limit: WorkLimit): Promise<void> {
  await removeClientChildren(client, tenant, limit);
  await tenant.data.clients.delete({ client_id: client.client_id });
}

/** Deletes everything that refers to a client, and releases its client ID. Idempotent. */
export async function removeClientChildren({ client_id: clientId }: ClientKey, tenant: RequestTenant, limit: WorkLimit): Promise<void> {
  const { data } = tenant;
  await removeClientGrants(data, { client_id: clientId }, limit);
  await removeAll(data.consents, { client_id: clientId }, "id", limit);
  await removeAll(data.device_credentials, { client_id: clientId }, "id", limit);
  await removeAll(data.refresh_tokens, { client_id: clientId }, "id", limit);
  await removeAll(data.logout_deliveries, { client_id: clientId }, "id", limit);
  await tenant.directory.releaseClientId(clientId);
}
