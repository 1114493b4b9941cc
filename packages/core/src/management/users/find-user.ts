import { findOne } from "../../store/find-one.ts";
import { findByIds } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Returns a primary or linked account by its ID.
 * @throws {PosternError} `not_found`.
 */
export async function findUserAccount({ data }: RequestTenant, userId: string): Promise<Row<"users">> {
  const row = await findOne(data.users, { user_id: userId });
  if (row === undefined) throw noSuchUser();
  return row;
}

/**
 * Returns a primary account by its ID. The ID of a linked account is not found, because a linked account is part of its
 * primary account.
 * @throws {PosternError} `not_found`.
 */
export async function findPrimary(tenant: RequestTenant, userId: string): Promise<Row<"users">> {
  const row = await findUserAccount(tenant, userId);
  if (row.linked_to !== "") throw noSuchUser();
  return row;
}

/** Returns users by their IDs, in the order of the IDs. Users that do not exist are omitted. */
export async function findUsers({ data }: RequestTenant, ids: readonly string[]): Promise<readonly Row<"users">[]> {
  return findByIds(data.users, "user_id", ids);
}

export function noSuchUser(): PosternError {
  return new PosternError("not_found", "The user does not exist.", { errorCode: "inexistent_user" });
}
