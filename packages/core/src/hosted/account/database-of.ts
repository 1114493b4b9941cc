import type { Row } from "../../store/schema.ts";
import type { AccountVisit } from "./visit.ts";

/** Returns the password database of the signed-in user. Undefined if the account has another connection. */
export async function databaseOf({ tenant, user }: AccountVisit): Promise<Row<"connections"> | undefined> {
  const connection = await tenant.connections.named(user.connection);
  return connection?.strategy === "auth0" ? connection : undefined;
}
