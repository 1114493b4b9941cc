import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { removeClientGrants } from "../organizations/client-grants.ts";

/** Removes what refers to an API whose own removal was begun. Repeatable. */
export async function removeApiChildren(data: TenantData, { id, identifier }: Row<"resource_servers">, limit: WorkLimit): Promise<void> {
  await removeClientGrants(data, { audience: identifier }, limit);
  await removeAll(data.role_permissions, { resource_server_id: id }, "role_id", limit);
  await removeAll(data.user_permissions, { resource_server_id: id }, "user_id", limit);
}

/** Removes an API and what refers to it. Repeatable. @param now when its removal begins, in milliseconds since 1970. @throws when the limit is reached. */
export async function removeApi(data: TenantData, api: Row<"resource_servers">, now: number, limit = new WorkLimit()): Promise<void> {
  // From here on every read treats it as absent, whatever happens to this process.
  await data.resource_servers.update({ id: api.id }, { set: { deleting_at: now } });
  await removeApiChildren(data, api, limit);
  await data.resource_servers.delete({ id: api.id });
}
