import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { connectionSettings, hasButton } from "../../model/connections/settings.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { availableMethods } from "../available-methods.ts";

/**
 * Returns the identity providers at which a user can link an account: those with a button on the login page of the client. A
 * user links one account of each connection.
 */
export async function linkableProviders(
  tenant: RequestTenant,
  client: RegisteredClient,
  user: Row<"users">,
): Promise<readonly Row<"connections">[]> {
  const [methods, linked] = await Promise.all([
    availableMethods(tenant, client),
    user.linked_count === 0 ? [] : linkedAccounts(tenant.data, [user.user_id]),
  ]);
  const used = new Set([user, ...linked].map(({ connection }) => connection));
  return methods.flatMap(({ method, connection }) => {
    const isOffered = method === "federated" && hasButton(connection, connectionSettings(connection).show_as_button);
    return isOffered && !used.has(connection.name) ? [connection] : [];
  });
}
