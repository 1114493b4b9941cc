import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { accessColumns } from "../users/account-access.ts";

/**
 * Writes a sign-in to the account. This conditional write decides whether the sign-in succeeds: the columns that give
 * access must not have changed since they were read. The session must exist already. A change of the account after this
 * write ends that session; a change before this write makes it fail.
 * @returns the primary account with this sign-in; undefined if the account was blocked, linked, deleted or given
 * another password since it was read.
 */
export async function recordLogin(tenant: TenantContext, primary: Row<"users">, account: Row<"users">): Promise<Row<"users"> | undefined> {
  const { data } = tenant;
  const { ip } = tenant.requestInfo;
  const login = { last_login: tenant.now(), ...(ip !== undefined && { last_ip: ip }) };
  const unchangedColumns = { blocked: false, linked_to: account.linked_to, ...accessColumns(account) };
  const isPrimary = account.user_id === primary.user_id;
  const [recorded, unchanged] = await Promise.all([
    data.users.update(
      { user_id: primary.user_id, ...(isPrimary ? unchangedColumns : { blocked: false, linked_to: "" }) },
      { set: login, add: { logins_count: 1 } },
    ),
    isPrimary ? 1 : data.users.count({ user_id: account.user_id, ...unchangedColumns }),
  ]);
  if (recorded !== 1 || unchanged !== 1) return undefined;
  return { ...primary, ...login, logins_count: primary.logins_count + 1 };
}
