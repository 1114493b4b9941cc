import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { hasIndependentFactor } from "./factor-policy.ts";
import { confirmedFactors, findFactors } from "./factors.ts";

/**
 * Whether a user has a confirmed factor that protects the account without another one. Sends no query if the user's row
 * lists none.
 * @param user a primary account.
 */
export async function isProtected(
  data: Pick<TenantData, "factors" | "users">,
  user: Pick<Row<"users">, "user_id" | "linked_count" | "enrolled_factors">,
): Promise<boolean> {
  if (!listsProtection(user)) return false;
  return hasIndependentFactor(confirmedFactors(await findFactors(data, user)).map(({ type }) => type));
}

/**
 * Whether the row of a user lists a factor that protects the account without another one. After a crash, it can list a
 * factor that the user does not have.
 */
export function listsProtection({ enrolled_factors: types }: Pick<Row<"users">, "enrolled_factors">): boolean {
  return hasIndependentFactor(types ?? []);
}
