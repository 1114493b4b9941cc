import { findOne } from "../../store/find-one.ts";
import { findByIds } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Returns an organization by its ID.
 * @throws {PosternError} `not_found`.
 */
export async function findOrganization({ data }: RequestTenant, id: string): Promise<Row<"organizations">> {
  const row = await findOne(data.organizations, { id });
  if (row === undefined) throw new PosternError("not_found", "there is no such organization");
  return row;
}

/**
 * Returns the organizations that the memberships refer to, in the order of the memberships. An organization that is
 * being deleted is omitted.
 */
export async function findOrganizations(
  { data }: RequestTenant,
  memberships: readonly Row<"organization_members">[],
): Promise<readonly Row<"organizations">[]> {
  return findByIds(
    data.organizations,
    "id",
    memberships.map(({ organization_id: id }) => id),
  );
}
