import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

/** The fields with which public requests name the client and the password database. */
export const databaseFields = {
  client_id: clientIdSchema
    .exactOptional()
    .meta({ description: "Optional if the hostname, the `tenant-id` header or the default tenant selects the tenant" }),
  connection: z.string().min(1).max(128).exactOptional().meta({
    description: "The name of a password database. Default: the tenant's default directory, otherwise its first password database",
  }),
};

/** The client and the password database that a public request names. */
interface NamedDatabase {
  readonly client_id?: string;
  /** The name of a connection. Default: the tenant's default directory, else its first password database. */
  readonly connection?: string;
}

/**
 * Returns the password database (strategy `auth0`) of a public request, and the client that the request names, if any.
 * A database that the client does not offer is treated as unknown.
 * @throws {PosternError} `invalid_client` if the tenant has no such client.
 */
export async function findDatabase(
  tenant: RequestTenant,
  { client_id: clientId, connection: name }: NamedDatabase,
): Promise<{ readonly client: RegisteredClient | undefined; readonly database: Row<"connections"> | undefined }> {
  const client = clientId === undefined ? undefined : await tenant.client(clientId);
  if (clientId !== undefined && client === undefined) throw new PosternError("invalid_client", "the client is unknown");
  const offered = client === undefined ? await tenant.connections.withLocalAccounts() : await tenant.connections.offeredBy(client);
  const databases = offered.filter(({ strategy }) => strategy === "auth0");
  const { default_directory: first } = tenant.settings;
  const database =
    name === undefined
      ? (databases.find((connection) => connection.name === first) ?? databases[0])
      : databases.find((connection) => connection.name === name);
  return { client, database };
}
