import type { Row } from "../../store/schema.ts";

/** What an account signs in with: unique in its connection, null where the connection does not sign in by it. */
export type LoginKeys = Pick<Row<"users">, "email_key" | "username_key" | "phone_key" | "subject_key">;

/** The login keys of an account. Accounts of identity providers have one alone: who they are there. */
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
