import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { rowsBeforeReply, WorkLimit } from "../../store/work-limit.ts";
import { PosternError } from "../../errors.ts";
import { deletionOf, finishDeletedUsers } from "./delete-user.ts";

/**
 * Inserts accounts in a connection.
 * @returns `false` if an id or a login key is taken. In this case nothing was written.
 * @throws {PosternError} `not_found` if the connection was deleted since it was read. The accounts are deleted again.
 */
export async function insertUsers(
  context: DataContext,
  connection: Pick<Row<"connections">, "id">,
  rows: readonly Row<"users">[],
): Promise<boolean> {
  if (!(await context.data.users.insert(rows))) return false;
  if (context.processState.deletedConnections.peek(connection.id) === undefined) return true;
  // The deletion of the connection may have missed these accounts. They are deleted here, and `sweep` deletes
  // everything that belongs to them.
  for (const { user_id: id } of rows) {
    await context.data.users.update({ user_id: id }, { set: deletionOf(context) });
  }
  throw new PosternError("not_found", "The connection was deleted.", { errorCode: "inexistent_connection" });
}

/**
 * Completes the deletion of a user that has begun, so that a new user can get the same id.
 * @returns `false` if no such user exists, or if too much belongs to the user to be deleted in this call.
 */
export async function freeUserId(context: DataContext, userId: string): Promise<boolean> {
  const where = { user_id: userId, deleting_at: { exists: true } };
  const deleted = await context.data.users.find({ where, fields: ["user_id", "linked_to"], limit: 1 });
  if (deleted.length === 0) return false;
  const limit = new WorkLimit(rowsBeforeReply);
  return limit.run(() => finishDeletedUsers(context, deleted, limit));
}
