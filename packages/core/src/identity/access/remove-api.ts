import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { removeClientGrants } from "../organizations/client-grants.ts";

/** Deletes the rows that refer to an API whose deletion has begun. Idempotent. */
export async function removeApiChildren(data: TenantData, { id, identifier }: Row<"resource_servers">, limit: WorkLimit): Promise<void> {
  await removeClientGrants(data, { audience: identifier }, limit);
  await removeAll(data.role_permissions, { resource_server_id: id }, "role_id", limit);
  await removeAll(data.user_permissions, { resource_server_id: id }, "user_id", limit);
}

/**
 * Deletes an API and the rows that refer to it. Idempotent.
 * @param now when the deletion begins, in milliseconds since 1970.
 * @throws when `limit` is reached.
 */
export async function removeApi(data: TenantData, api: Row<"resource_servers">, now: number, limit = new WorkLimit()): Promise<void> {
  // From this write on, every read treats the API as absent, even if this process crashes.
  await data.resource_servers.update({ id: api.id }, { set: { deleting_at: now } });
  await removeApiChildren(data, api, limit);
  await data.resource_servers.delete({ id: api.id });
}
