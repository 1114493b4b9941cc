import type { DataContext } from "../../context.ts";
import { findByIds, splitIntoParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { domainsOf } from "../../model/connections/upstream.ts";

/**
 * Stores the domains of a connection before the connection itself is written, so that the connection can be found by
 * domain even after a crash. Rows for domains that the connection no longer has stay and are ignored.
 * @param before the domains of the connection that are already stored.
 */
export async function recordDomains(
  context: DataContext,
  connection: Pick<Row<"connections">, "id" | "strategy" | "options">,
  before: readonly string[] = [],
): Promise<void> {
  const added = domainsOf(connection).filter((domain) => !before.includes(domain));
  const rows = added.map((domain) => ({ domain, connection_id: connection.id, created_at: context.now() }));
  for (const part of splitIntoParts(rows)) {
    // Inserts all rows at once. If one of them exists already, inserts the rows one by one.
    if (!(await context.data.connection_domains.insert(part))) for (const row of part) await context.data.connection_domains.insert([row]);
  }
}

/** Returns the connections for users whose email addresses are in a domain. */
export async function connectionsOfDomain(data: TenantData, domain: string): Promise<readonly Row<"connections">[]> {
  const noted = await data.connection_domains.find({ where: { domain }, limit: maximumConnections });
  const connections = await findByIds(
    data.connections,
    "id",
    noted.map(({ connection_id: id }) => id),
  );
  return connections.filter((connection) => domainsOf(connection).includes(domain));
}

/** The maximum number of connections that are read for one domain. Most domains have one. */
const maximumConnections = 50;
