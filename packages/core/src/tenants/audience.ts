import type { Row } from "../store/schema.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { managementScopes } from "../model/scopes.ts";

/**
 * The stored identifier of the Management API. It is relative to the issuer, so that one row (and one client grant)
 * applies to `<issuer>api/v2/` under each host of the tenant, and stays valid when a host is added.
 */
export const managementIdentifier = "api/v2/";

/** A tenant, limited to the check of its issuers. */
interface Issuers {
  hasIssuer(issuer: string): Promise<boolean>;
}

/** Converts an API identifier from a caller of the tenant into its stored form. */
export async function systemIdentifier(tenant: Issuers, identifier: string): Promise<string> {
  if (!identifier.endsWith(managementIdentifier)) return identifier;
  return (await tenant.hasIssuer(identifier.slice(0, -managementIdentifier.length))) ? managementIdentifier : identifier;
}

/** Converts a stored API identifier into the form that callers under this issuer use. */
export function publicIdentifier(stored: string, issuer: string): string {
  return stored === managementIdentifier ? issuer + managementIdentifier : stored;
}

/** The path of `/userinfo` below an issuer. */
const userinfo = "userinfo";

/**
 * Converts an API identifier from a caller into the audience that is stored in grants: null for `/userinfo`, which is
 * the same API under every issuer of the tenant.
 */
export async function storedAudience(tenant: Issuers, identifier: string): Promise<string | null> {
  if (identifier.endsWith(userinfo) && (await tenant.hasIssuer(identifier.slice(0, -userinfo.length)))) return null;
  return systemIdentifier(tenant, identifier);
}

/**
 * Returns the settings of the Management API. Its scopes are those that the routes declare. Users get only the scopes
 * that their roles grant.
 */
export function managementApi(row: Row<"resource_servers">): ResourceServerSettings {
  return { ...resourceServerSettings(row), scopes: managementScopes.map((scope) => ({ ...scope })), enforce_policies: true };
}
