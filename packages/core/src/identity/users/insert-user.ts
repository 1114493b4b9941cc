import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { rowsBeforeReply, WorkLimit } from "../../store/work-limit.ts";
import { PosternError } from "../../errors.ts";
import { deletionOf, finishDeletedUsers } from "./delete-user.ts";

/**
 * Inserts accounts of a connection.
 * @returns `false` if an id or a login key is taken; then nothing was written.
 * @throws {PosternError} `not_found` if the connection was deleted since it was read. The accounts are deleted again.
 */
export async function insertUsers(
  context: DataContext,
  connection: Pick<Row<"connections">, "id">,
  rows: readonly Row<"users">[],
): Promise<boolean> {
  if (!(await context.data.users.insert(rows))) return false;
  if (context.processState.deletedConnections.peek(connection.id) === undefined) return true;
  // The deletion may have passed these accounts already. `sweep` deletes what belongs to them.
  for (const { user_id: id } of rows) {
    await context.data.users.update({ user_id: id }, { set: deletionOf(context) });
  }
  throw new PosternError("not_found", "The connection was deleted.", { errorCode: "inexistent_connection" });
}

/**
 * Frees the id of a user whose deletion has begun but is incomplete, for a new user with the same id.
 * @returns `false` if there is no such user, or too much belongs to it to be deleted now.
 */
export async function freeUserId(context: DataContext, userId: string): Promise<boolean> {
  const where = { user_id: userId, deleting_at: { exists: true } };
  const deleted = await context.data.users.find({ where, fields: ["user_id", "linked_to"], limit: 1 });
  if (deleted.length === 0) return false;
  const limit = new WorkLimit(rowsBeforeReply);
  return limit.run(() => finishDeletedUsers(context, deleted, limit));
}
