import type { Row } from "../data/schema.ts";
import { toUser, type User } from "../model/users.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** A user with the accounts linked to it. */
export async function presentUser(tenant: Tenant, row: Row<"users">): Promise<User> {
  const linked = row.linked_count === 0 ? [] : await tenant.data.users.find({ where: { linked_to: row.user_id }, limit: 100 });
  return toUser(row, linked);
}

/** One more question for the whole page, and only where somebody on it has linked accounts. */
export async function presentUsers(tenant: Tenant, rows: readonly Row<"users">[]): Promise<readonly User[]> {
  const primaries = rows.filter(({ linked_count: count }) => count > 0).map(({ user_id: id }) => id);
  const linked: Row<"users">[] = [];
  for (let i = 0; i < primaries.length; i += 50) {
    linked.push(...(await tenant.data.users.find({ where: { linked_to: { in: primaries.slice(i, i + 50) } }, limit: 1000 })));
  }
  return rows.map((row) =>
    toUser(
      row,
      linked.filter(({ linked_to: primary }) => primary === row.user_id),
    ),
  );
}
