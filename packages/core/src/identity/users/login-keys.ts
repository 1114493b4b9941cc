import type { Row } from "../../store/schema.ts";

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
