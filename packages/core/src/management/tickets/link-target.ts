import type * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import { findLinked } from "../../identity/users/link-users.ts";
import { invalidBody } from "../../model/settings.ts";
import type { createVerificationTicketSchema } from "../../model/tickets/tickets.ts";
import { localUserId } from "../../model/users/users.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { findPrimary } from "../users/find-user.ts";

/** The `identity` in a request body. */
type Named = NonNullable<z.infer<typeof createVerificationTicketSchema>["identity"]>;

/**
 * Returns the client and the organization that the link is created for.
 * @throws {PosternError} `invalid_request` if the client or the organization does not exist.
 */
export async function linkContext(
  tenant: RequestTenant,
  {
    client_id: clientId,
    organization_id: organizationId,
  }: Pick<z.infer<typeof createVerificationTicketSchema>, "client_id" | "organization_id">,
): Promise<{ readonly client: RegisteredClient | undefined; readonly organization: Row<"organizations"> | undefined }> {
  const [client, organization] = await Promise.all([
    clientId === undefined ? undefined : tenant.client(clientId),
    organizationId === undefined ? undefined : tenant.organization(organizationId),
  ]);
  if (clientId !== undefined && client === undefined) throw invalidBody(`'client_id' is '${clientId}', which does not exist`);
  if (organizationId !== undefined && organization?.id !== organizationId) {
    throw invalidBody(`'organization_id' is '${organizationId}', which does not exist`);
  }
  return { client, organization };
}

/**
 * Returns a user whose email address can be verified with a link.
 * @throws {PosternError} `invalid_request` or `not_found`.
 */
export async function findVerifiableUser(
  tenant: RequestTenant,
  { user_id: userId, identity }: Pick<z.infer<typeof createVerificationTicketSchema>, "user_id" | "identity">,
): Promise<Row<"users">> {
  const user = await findPrimary(tenant, userId);
  if (identity !== undefined && (await findIdentity(tenant, user, identity)).user_id !== user.user_id) {
    throw invalidBody("'identity' is a linked account, whose email address cannot be verified by a link");
  }
  if (user.email === "") throw invalidBody("'user_id' is a user without an email address");
  return user;
}

/**
 * Returns the account that `identity` refers to: the user's primary account or a linked account.
 * @throws {PosternError} `invalid_request`.
 */
export async function findIdentity(
  tenant: RequestTenant,
  user: Row<"users">,
  { provider, user_id: id, connection_id: connectionId }: Named,
): Promise<Row<"users">> {
  const own = user.provider === provider && (user.user_id === id || localUserId(user.user_id) === id);
  const account = own ? user : findLinked(user.linked_count === 0 ? [] : await linkedAccounts(tenant.data, [user.user_id]), provider, id);
  if (account === undefined) throw invalidBody("'identity' is not an identity of the user");
  if (connectionId !== undefined && (await tenant.connections.byId(connectionId))?.name !== account.connection) {
    throw invalidBody("'identity.connection_id' is not the connection of that identity");
  }
  return account;
}
