import { auditConnection } from "../../logs/audit.ts";
import type { JsonObject } from "../../store/value.ts";
import { importUsers, type ImportCounts, type UserImport } from "../../identity/users/import/import-users.ts";
import { PosternError } from "../../errors.ts";
import { isUpstream } from "../../model/connections/upstream.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The maximum number of rejected users that are stored. */
const mostErrors = 500;
/** Maximum total size of the stored rejected users, in characters of JSON. */
const mostText = 256 * 1024;

/** The result of an import. */
interface ImportResult {
  readonly summary: ImportCounts & JsonObject;
  readonly errors: readonly ({ readonly user: JsonObject; readonly errors: readonly JsonObject[] } & JsonObject)[];
}

/** The connection that users are imported into, and the options of the import. */
type ImportTarget = { readonly connectionId: string } & Pick<UserImport, "upsert"> & Partial<Pick<UserImport, "onProgress" | "onRejected">>;

/**
 * Imports users into a connection of a tenant, and writes an audit event with the result.
 * @param users the users, one after the other.
 * @throws {PosternError} `invalid_request` if the connection does not exist or is a connection to an identity provider.
 */
export async function importIntoConnection(
  tenant: RequestTenant,
  { connectionId, ...options }: ImportTarget,
  users: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<ImportResult> {
  const connection = await tenant.connections.byId(connectionId);
  if (connection === undefined)
    throw new PosternError("invalid_request", "body: 'connection_id' is not a connection", { errorCode: "inexistent_connection" });
  if (isUpstream(connection))
    throw new PosternError("invalid_request", "body: 'connection_id' is an identity provider, whose users cannot be imported");
  const errors: ImportResult["errors"][number][] = [];
  let length = 0;
  const counts = await importUsers(tenant, users, {
    connection,
    ...options,
    onRejected: (user, faults) => {
      options.onRejected?.(user, faults);
      const error = { user: withoutHash(user), errors: faults.map((fault) => ({ ...fault })) };
      length += JSON.stringify(error).length;
      if (errors.length < mostErrors && length <= mostText) errors.push(error);
    },
  });
  await tenant.audit({
    type: counts.failed > 0 && counts.failed === counts.total ? "fui" : "sui",
    ...auditConnection(connection),
    details: { summary: { ...counts } },
  });
  return { summary: { ...counts }, errors };
}

/**
 * Returns a rejected user without password fields, for error reports. Returns an empty object if the item is not an
 * object.
 */
function withoutHash(user: unknown): JsonObject {
  if (typeof user !== "object" || user === null || Array.isArray(user)) return {};
  const { password_hash: _, custom_password_hash: __, password: ___, ...shown } = user as JsonObject;
  return shown;
}
