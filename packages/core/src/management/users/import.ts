import { auditConnection } from "../../logs/audit.ts";
import type { JsonObject } from "../../store/value.ts";
import { importUsers, type ImportCounts, type UserImport } from "../../identity/users/import/import-users.ts";
import { PosternError } from "../../errors.ts";
import { isUpstream } from "../../model/connections/upstream.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** Users that were not imported, as far as they are kept. */
const mostErrors = 500;
/** Characters of them, as JSON. */
const mostText = 256 * 1024;

/** What came of an import. */
export interface Imported {
  readonly summary: ImportCounts & JsonObject;
  readonly errors: readonly ({ readonly user: JsonObject; readonly errors: readonly JsonObject[] } & JsonObject)[];
}

/** Into which connection users are imported, and how. */
export type ImportInto = { readonly connectionId: string } & Pick<UserImport, "upsert"> &
  Partial<Pick<UserImport, "onProgress" | "onRejected">>;

/**
 * Imports users into a connection of a tenant, and puts on record what came of it.
 * @param users one after the other, as they come.
 * @throws {PosternError} `invalid_request` where there is no such connection, or its users come from elsewhere.
 */
export async function importAt(
  tenant: Tenant,
  { connectionId, ...options }: ImportInto,
  users: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<Imported> {
  const connection = await tenant.connections.byId(connectionId);
  if (connection === undefined)
    throw new PosternError("invalid_request", "body: 'connection_id' names no connection", { errorCode: "inexistent_connection" });
  if (isUpstream(connection))
    throw new PosternError("invalid_request", "body: 'connection_id' names an identity provider: its users come from there");
  const errors: Imported["errors"][number][] = [];
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

/** What says a password is in no report, and what is no user is shown as none. */
function withoutHash(user: unknown): JsonObject {
  if (typeof user !== "object" || user === null || Array.isArray(user)) return {};
  const { password_hash: _, custom_password_hash: __, password: ___, ...shown } = user as JsonObject;
  return shown;
}
