import type { Row } from "../data/schema.ts";
import { PosternError } from "../errors.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** An organization by its id. @throws {PosternError} `not_found`. */
export async function findOrganization({ data }: Tenant, id: string): Promise<Row<"organizations">> {
  const [row] = id.length > 64 ? [] : await data.organizations.find({ where: { id }, limit: 1 });
  if (row === undefined) throw new PosternError("not_found", "there is no such organization");
  return row;
}
