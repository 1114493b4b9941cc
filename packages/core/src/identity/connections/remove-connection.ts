import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { offerConnection } from "./client-connections.ts";
import { deletedName } from "./deleted-name.ts";
import { beginDeletingUsersOf, finishDeletedUsers } from "../users/delete-user.ts";

/**
 * How long after the deletion of a connection another process may still create users in it, because that process has
 * cached the connection. In milliseconds.
 */
const staleFor = 60_000;

type Connection = Row<"connections">;

/**
 * Deletes everything that belongs to a connection whose deletion has begun. First marks all users of the connection as
 * deleted: from then on, no read finds them, and the connection's name is free for a new connection. Then deletes the
 * users' rows, up to `limit`. The row of the connection stays for {@link finishRemovedConnection}. Idempotent.
 */
export async function removeConnectionChildren(
  context: DataContext,
  { id, name, former_name: formerName }: Connection,
  limit: WorkLimit,
): Promise<void> {
  const { data } = context;
  // A new connection may have the former name by now.
  if (formerName !== null) return;
  context.processState.deletedConnections.set(id, true);
  await offerConnection(context, id, () => false);
  await removeAll(data.organization_connections, { connection_id: id }, "organization_id", new WorkLimit());
  await removeAll(data.connection_domains, { connection_id: id }, "domain", new WorkLimit());
  const users = await beginDeletingUsersOf(context, name);
  const set = { name: deletedName(id), former_name: name, secrets: {}, seal: "" };
  await data.connections.update({ id, deleting_at: { exists: true }, former_name: null }, { set });
  await finishDeletedUsers(context, users, limit);
}

/**
 * Deletes a connection whose deletion began more than a minute ago. Also deletes the users that other processes created
 * in it after its users had been marked as deleted. A connection that reuses the name stays, because its users are
 * newer.
 */
export async function finishRemovedConnection(context: DataContext, connection: Connection, limit: WorkLimit): Promise<void> {
  await removeConnectionChildren(context, connection, limit);
  const { id, name, former_name: formerName, deleting_at: deletingAt } = connection;
  const successor = await findOne(context.data.connections, { name: formerName ?? name }, ["created_at"]);
  const createdBefore = Math.min((deletingAt ?? 0) + staleFor, successor?.created_at ?? Infinity);
  const users = await beginDeletingUsersOf(context, formerName ?? name, createdBefore);
  await finishDeletedUsers(context, users, limit);
  await context.data.connections.delete({ id });
}
