import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { Environment } from "../environment.ts";
import { accessColumns } from "../users/account-access.ts";

interface LoginContext {
  readonly environment: Pick<Environment, "clock">;
  readonly data: Pick<TenantData, "users">;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
}

/**
 * Writes the login down, and so decides it: what was read before the hash must still hold. The session is there by now, so that whoever changes the account
 * after this finds it, and whoever changed it before makes this fail.
 * @returns the primary account with this login; undefined when the account was blocked, linked, removed or given another password meanwhile.
 */
export async function recordLogin(
  { environment, data, ip }: LoginContext,
  primary: Row<"users">,
  account: Row<"users">,
): Promise<Row<"users"> | undefined> {
  const login = { last_login: environment.clock.now(), ...(ip !== undefined && { last_ip: ip }) };
  const holds = { blocked: false, linked_to: account.linked_to, ...accessColumns(account) };
  const isPrimary = account.user_id === primary.user_id;
  const [recorded, unchanged] = await Promise.all([
    data.users.update(
      { user_id: primary.user_id, ...(isPrimary ? holds : { blocked: false, linked_to: "" }) },
      { set: login, add: { logins_count: 1 } },
    ),
    isPrimary ? 1 : data.users.count({ user_id: account.user_id, ...holds }),
  ]);
  if (recorded !== 1 || unchanged !== 1) return undefined;
  return { ...primary, ...login, logins_count: primary.logins_count + 1 };
}
