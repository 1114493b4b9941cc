import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Returns a client by its ID from the database, not from the cache.
 * @throws {PosternError} `not_found`.
 */
export async function findClient({ data }: RequestTenant, id: string): Promise<Row<"clients">> {
  const row = await findOne(data.clients, { client_id: id });
  if (row === undefined) throw noSuchClient();
  return row;
}

export function noSuchClient(): PosternError {
  return new PosternError("not_found", "there is no such client", { errorCode: "inexistent_client" });
}
