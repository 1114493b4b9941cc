import type { Row } from "../store/schema.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { managementScopes } from "../model/scopes.ts";

/**
 * The identifier that the Management API is stored under: relative to the issuer, so that one record (and one client grant)
 * stands for `<issuer>api/v2/` under each host of the tenant, and stays right when a host is added.
 */
export const managementIdentifier = "api/v2/";

/** What is asked of a tenant about its issuers. */
interface Issuers {
  hasIssuer(issuer: string): Promise<boolean>;
}

/** An API identifier as a caller of the tenant writes it, as it is stored. */
export async function systemIdentifier(tenant: Issuers, identifier: string): Promise<string> {
  if (!identifier.endsWith(managementIdentifier)) return identifier;
  return (await tenant.hasIssuer(identifier.slice(0, -managementIdentifier.length))) ? managementIdentifier : identifier;
}

/** An API identifier as it is stored, as callers under this issuer know it. */
export function publicIdentifier(stored: string, issuer: string): string {
  return stored === managementIdentifier ? issuer + managementIdentifier : stored;
}

/** What the path of `/userinfo` is below an issuer. */
const userinfo = "userinfo";

/** An API's identifier, as a caller writes it, as grants store it: null for `/userinfo`, which is one API under every issuer of the tenant. */
export async function storedAudience(tenant: Issuers, identifier: string): Promise<string | null> {
  if (identifier.endsWith(userinfo) && (await tenant.hasIssuer(identifier.slice(0, -userinfo.length)))) return null;
  return systemIdentifier(tenant, identifier);
}

/** The settings of the Management API: its scopes are those that routes declare, and people get of them only what their roles give. */
export function managementApi(row: Row<"resource_servers">): ResourceServerSettings {
  return { ...resourceServerSettings(row), scopes: managementScopes.map((scope) => ({ ...scope })), enforce_policies: true };
}
