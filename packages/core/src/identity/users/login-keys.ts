import { ConflictError } from "../../store/conflicts.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/**
 * The identifiers that a user can sign in with, each unique in its connection. Null if the connection does not accept
 * the identifier.
 */
type LoginKeys = Pick<Row<"users">, "email_key" | "username_key" | "phone_key" | "subject_key">;

/**
 * Returns the login keys of an account. An account of an identity provider has only one login key: the subject at the
 * provider.
 */
export function loginKeys(strategy: string, account: Pick<Row<"users">, "email" | "username" | "phone_number" | "subject_key">): LoginKeys {
  const { email, username, phone_number: phone } = account;
  const database = strategy === "auth0";
  return {
    email_key: (database || strategy === "email") && email !== "" ? email.toLowerCase() : null,
    username_key: database && username !== null ? username.toLowerCase() : null,
    phone_key: (database || strategy === "sms") && phone !== null ? phone : null,
    subject_key: account.subject_key,
  };
}

/**
 * Requires that no other account of the connection has a login key that an account is about to get. The unique key decides
 * again at the write.
 * @throws {ConflictError} if another account has one.
 */
export async function requireFreeKeys(
  { users }: Pick<TenantData, "users">,
  { user_id: userId, connection }: Pick<Row<"users">, "user_id" | "connection">,
  { email_key = null, username_key = null, phone_key = null }: Partial<LoginKeys>,
): Promise<void> {
  const owners = await Promise.all([
    ...(email_key === null ? [] : [findOne(users, { connection, email_key }, ["user_id"])]),
    ...(username_key === null ? [] : [findOne(users, { connection, username_key }, ["user_id"])]),
    ...(phone_key === null ? [] : [findOne(users, { connection, phone_key }, ["user_id"])]),
  ]);
  if (owners.some((owner) => owner !== undefined && owner.user_id !== userId)) throw new ConflictError("a login key is taken");
}
