import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { removeClientGrants } from "../organizations/client-grants.ts";

/** Removes what refers to an API whose own removal was begun. Repeatable. */
export async function removeApiChildren(data: TenantData, { id, identifier }: Row<"resource_servers">): Promise<void> {
  await removeClientGrants(data, { audience: identifier });
  await data.role_permissions.delete({ resource_server_id: id });
  await data.user_permissions.delete({ resource_server_id: id });
}

/** Removes an API and what refers to it. Repeatable. @param now when its removal begins. */
export async function removeApi(data: TenantData, api: Row<"resource_servers">, now: number): Promise<void> {
  // From here on every read treats it as absent, whatever happens to this process.
  await data.resource_servers.update({ id: api.id }, { set: { deleting_at: now } });
  await removeApiChildren(data, api);
  await data.resource_servers.delete({ id: api.id });
}
