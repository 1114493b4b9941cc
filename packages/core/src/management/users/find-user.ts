import { findByIds } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** An account by its id, primary or linked. @throws {PosternError} `not_found`. */
export async function findAccount({ data }: Tenant, userId: string): Promise<Row<"users">> {
  const [row] = await data.users.find({ where: { user_id: userId }, limit: 1 });
  if (row === undefined) throw noSuchUser();
  return row;
}

/** A primary account by its id. A linked one is not found: it is part of its primary (spec section 3). @throws {PosternError} `not_found`. */
export async function findPrimary(tenant: Tenant, userId: string): Promise<Row<"users">> {
  const row = await findAccount(tenant, userId);
  if (row.linked_to !== "") throw noSuchUser();
  return row;
}

/** Users by their ids, in the order of the ids. Those who do not exist are left out. */
export async function findUsers({ data }: Tenant, ids: readonly string[]): Promise<readonly Row<"users">[]> {
  return findByIds(data.users, "user_id", ids);
}

export function noSuchUser(): PosternError {
  return new PosternError("not_found", "The user does not exist.", { errorCode: "inexistent_user" });
}
