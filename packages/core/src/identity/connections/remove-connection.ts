import type { DataContext } from "../../context.ts";
import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { offerConnection } from "./client-connections.ts";
import { deletedName } from "./deleted-name.ts";
import { beginDeletingUsersOf, finishDeletedUsers } from "../users/delete-user.ts";

/**
 * Milliseconds after the deletion of a connection in which another process may still create users in it, from its
 * cached settings.
 */
const staleFor = 60_000;

type Connection = Row<"connections">;

/**
 * Deletes everything that belongs to a connection whose deletion has begun. When the users have been marked, no read
 * finds any of them and the name is free for a new connection. The users' rows follow, up to `limit`. The record stays
 * for {@link finishRemovedConnection}. Idempotent.
 */
export async function removeConnectionChildren(
  context: DataContext,
  { id, name, former_name: formerName }: Connection,
  limit: WorkLimit,
): Promise<void> {
  const { data } = context;
  // The name may belong to another connection by now.
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
 * Deletes a connection whose deletion began more than a minute ago, with the users that other processes created in it
 * after its users had been marked. A connection that took over the name, and its users, are newer.
 */
export async function finishRemovedConnection(context: DataContext, connection: Connection, limit: WorkLimit): Promise<void> {
  await removeConnectionChildren(context, connection, limit);
  const { id, name, former_name: formerName, deleting_at: deletingAt } = connection;
  const successor = await context.data.connections.find({ where: { name: formerName ?? name }, fields: ["created_at"], limit: 1 });
  const createdBefore = Math.min((deletingAt ?? 0) + staleFor, ...successor.map(({ created_at: createdAt }) => createdAt));
  const users = await beginDeletingUsersOf(context, formerName ?? name, createdBefore);
  await finishDeletedUsers(context, users, limit);
  await context.data.connections.delete({ id });
}
