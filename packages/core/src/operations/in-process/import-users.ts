import type { ImportCounts, ImportFault } from "../../identity/users/import/import-users.ts";
import { PosternError } from "../../errors.ts";
import { importAt } from "../../management/users/import.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { Tenant } from "../../tenants/tenant.ts";

/** How users are imported. See `postern.importUsers`. */
export interface ImportUsersOptions {
  /** The connection that they are users of, by its id or its name. */
  readonly connection: string;
  /** Changes users who are there already: profile, metadata, `blocked` and `email_verified`; never what they sign in with. Default false: they are rejected. */
  readonly upsert?: boolean;
  /** Told after every hundred users. */
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Told of each user that was not imported, as it was given, and why. */
  readonly onRejected?: (user: unknown, faults: readonly ImportFault[]) => void;
}

/** Imports users for the host's own code. @throws {PosternError} as `postern.importUsers` says. */
export async function importForHost(
  installation: Installation,
  tenantId: string,
  users: Iterable<unknown> | AsyncIterable<unknown>,
  { connection: named, upsert = false, onProgress, onRejected }: ImportUsersOptions,
): Promise<ImportCounts> {
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", `there is no tenant '${tenantId}'`);
  const hostname = new URL(installation.urls.issuer).host;
  const requestInfo = { requestId: crypto.randomUUID(), ip: undefined, sharedIp: false, userAgent: "", hostname, acceptLanguage: "" };
  const tenant = new Tenant(installation, entry, installation.urls, requestInfo);
  const connection = (await tenant.connections.byId(named)) ?? (await tenant.connections.named(named));
  if (connection === undefined) throw new PosternError("invalid_request", `'connection': there is none with the id or name '${named}'`);
  const told = { ...(onProgress && { onProgress }), ...(onRejected && { onRejected }) };
  const { summary } = await importAt(tenant, { connectionId: connection.id, upsert, ...told }, users);
  return summary;
}
