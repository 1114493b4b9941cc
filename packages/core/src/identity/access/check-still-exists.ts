import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";

/**
 * To be called after a row was written for a user, or for one inside an organization: takes it back where either was removed meanwhile. Its removal may have
 * passed that place already, and who comes back under the same id would have the row. Where it has not, both remove it.
 * @param organizationId '' for a row that is in no organization.
 * @throws {PosternError} `not_found`.
 */
export async function checkStillExists(
  data: TenantData,
  { userId, organizationId = "" }: { readonly userId: string; readonly organizationId?: string },
  takeBack: () => Promise<unknown>,
): Promise<void> {
  const [users, organizations] = await Promise.all([
    data.users.count({ user_id: userId }),
    organizationId === "" ? 1 : data.organizations.count({ id: organizationId }),
  ]);
  if (users > 0 && organizations > 0) return;
  await takeBack();
  if (users > 0) throw new PosternError("not_found", "The organization was removed meanwhile.");
  throw new PosternError("not_found", "The user was removed meanwhile.", { errorCode: "inexistent_user" });
}
