import type { TenantData } from "../../data/tenant-data.ts";
import { PosternError } from "../../errors.ts";

/**
 * To be called after a row was written for a user: takes it back where the user was removed meanwhile. Their removal may have passed that place already,
 * and who comes back under the same id would have it. Where it has not, both remove the row.
 * @throws {PosternError} `not_found`.
 */
export async function checkStillThere(data: TenantData, userId: string, takeBack: () => Promise<unknown>): Promise<void> {
  if ((await data.users.count({ user_id: userId })) > 0) return;
  await takeBack();
  throw new PosternError("not_found", "The user was removed meanwhile.", { errorCode: "inexistent_user" });
}
