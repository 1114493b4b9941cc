import { connectionSettings } from "../../model/connections/settings.ts";
import { readAll } from "../../store/read-all.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** Returns the connections of an external client, oldest first. They do not include inherited settings. */
export async function domainConnections({ data }: RequestTenant): Promise<readonly Row<"connections">[]> {
  const all = await readAll(data.connections, ["created_at", "id"], {});
  return all.filter((row) => connectionSettings(row).is_domain_connection);
}
