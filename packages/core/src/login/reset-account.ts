import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { Interaction } from "./interaction.ts";

/**
 * Returns the account whose password the visitor may set. Returns undefined if the visitor has not redeemed a code for
 * a password reset, or if the account's password or email address has changed since then.
 */
export async function resetAccountOf({
  tenant,
  progress: { reset },
}: Pick<Interaction, "tenant" | "progress">): Promise<Row<"users"> | undefined> {
  if (reset === undefined) return undefined;
  const { user_id, password_id, email } = reset;
  const account = await findOne(tenant.data.users, { user_id, password_id, email });
  return account;
}
