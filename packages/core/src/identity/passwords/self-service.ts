import type { Row } from "../../store/schema.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";

/** Returns whether users in a password database may set their own passwords. */
export function maySetPasswords(connection: Row<"connections">): boolean {
  const { authentication_methods: methods, disable_self_service_change_password: disabled = false } = databaseOptions(connection);
  return !disabled && methods?.password?.enabled !== false;
}
