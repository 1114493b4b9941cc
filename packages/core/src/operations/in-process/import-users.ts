import type { ImportCounts, ImportFault } from "../../identity/users/import/import-users.ts";
import { PosternError } from "../../errors.ts";
import { importIntoConnection } from "../../management/users/import.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { RequestTenant } from "../../tenants/tenant.ts";

/** Options of `postern.importUsers`. */
export interface ImportUsersOptions {
  /** The connection that the users belong to, by id or name. */
  readonly connection: string;
  /**
   * Whether to update existing users: profile, metadata, `blocked` and `email_verified`, but never their identifiers
   * and passwords. Default: false, which rejects existing users.
   */
  readonly upsert?: boolean;
  /** Called after every hundred users. */
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Called for each user that was not imported, with the user as it was passed, and the reasons. */
  readonly onRejected?: (user: unknown, faults: readonly ImportFault[]) => void;
}

/** Imports users for the host application. @throws {PosternError} as documented at `postern.importUsers`. */
export async function importUsersForHost(
  installation: Installation,
  tenantId: string,
  users: Iterable<unknown> | AsyncIterable<unknown>,
  { connection: named, upsert = false, onProgress, onRejected }: ImportUsersOptions,
): Promise<ImportCounts> {
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", `the tenant '${tenantId}' does not exist`);
  const hostname = new URL(installation.urls.issuer).host;
  const requestInfo = { requestId: crypto.randomUUID(), ip: undefined, sharedIp: false, userAgent: "", hostname, acceptLanguage: "" };
  const tenant = new RequestTenant(installation, entry, installation.urls, requestInfo);
  const connection = (await tenant.connections.byId(named)) ?? (await tenant.connections.named(named));
  if (connection === undefined) throw new PosternError("invalid_request", `'connection': no connection has the id or name '${named}'`);
  const callbacks = { ...(onProgress && { onProgress }), ...(onRejected && { onRejected }) };
  const { summary } = await importIntoConnection(tenant, { connectionId: connection.id, upsert, ...callbacks }, users);
  return summary;
}
