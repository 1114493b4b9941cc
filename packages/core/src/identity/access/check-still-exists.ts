import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";

/**
 * Calls `undoWrite` if the user or the organization was deleted while a row that refers to them was written. Call this
 * function after that write: a deletion that had already processed the row's collection would miss the row, and a new
 * user with the same id would then get it.
 * @param organizationId '' for a row outside organizations.
 * @param undoWrite deletes the row. It must succeed if the deletion has deleted the row already.
 * @throws {PosternError} `not_found`.
 */
export async function checkStillExists(
  data: TenantData,
  { userId, organizationId = "" }: { readonly userId: string; readonly organizationId?: string },
  undoWrite: () => Promise<unknown>,
): Promise<void> {
  const [users, organizations] = await Promise.all([
    data.users.count({ user_id: userId }),
    organizationId === "" ? 1 : data.organizations.count({ id: organizationId }),
  ]);
  if (users > 0 && organizations > 0) return;
  await undoWrite();
  if (users > 0) throw new PosternError("not_found", "The organization was deleted by another request.");
  throw new PosternError("not_found", "The user was deleted by another request.", { errorCode: "inexistent_user" });
}
