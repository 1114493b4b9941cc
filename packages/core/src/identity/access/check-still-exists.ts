import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";

/**
 * Call this after writing a row for a user, or for a user in an organization: deletes the row if the user or the
 * organization was deleted in the meantime. Their deletion may have passed the row already, and a new user with the
 * same id would get it. Otherwise both delete the row.
 * @param organizationId '' for a row outside organizations.
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
