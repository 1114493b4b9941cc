import type { DataContext } from "../../context.ts";
import { findByIds, inParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { domainsOf } from "../../model/connections/upstream.ts";

/**
 * Notes the domains of a connection, before the connection itself is written: whoever looks for one finds the connection from its first moment on, whenever a process is lost. One that it had
 * before stays noted, and leads nowhere.
 * @param before the domains that are noted already.
 */
export async function recordDomains(
  context: DataContext,
  connection: Pick<Row<"connections">, "id" | "strategy" | "options">,
  before: readonly string[] = [],
): Promise<void> {
  const added = domainsOf(connection).filter((domain) => !before.includes(domain));
  const rows = added.map((domain) => ({ domain, connection_id: connection.id, created_at: context.now() }));
  for (const part of inParts(rows)) {
    // Together; where one is known already, one by one.
    if (!(await context.data.connection_domains.insert(part))) for (const row of part) await context.data.connection_domains.insert([row]);
  }
}

/** The connections whose people have addresses of a domain. */
export async function connectionsOfDomain(data: TenantData, domain: string): Promise<readonly Row<"connections">[]> {
  const noted = await data.connection_domains.find({ where: { domain }, limit: most });
  const connections = await findByIds(
    data.connections,
    "id",
    noted.map(({ connection_id: id }) => id),
  );
  return connections.filter((connection) => domainsOf(connection).includes(domain));
}

/** Connections that are looked at for one domain: an organization has one, seldom two. */
const most = 50;
