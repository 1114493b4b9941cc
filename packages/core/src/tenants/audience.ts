import type { Row } from "../store/schema.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { managementScopes } from "../model/scopes.ts";

/**
 * The stored identifier of the Management API. It is relative to the issuer, so that one row (and one client grant)
 * applies to `<issuer>api/v2/` under each host of the tenant, and stays valid when a host is added.
 */
export const managementIdentifier = "api/v2/";

/**
 * The identifier of the MFA API, relative to the issuer, like {@link managementIdentifier}. No row is stored for it: every
 * tenant has it.
 */
export const mfaIdentifier = "mfa/";

/** The identifiers that are relative to the issuer. */
const systemIdentifiers = [managementIdentifier, mfaIdentifier];

/** A tenant, limited to the check of its issuers. */
interface Issuers {
  hasIssuer(issuer: string): Promise<boolean>;
}

/** Converts an API identifier from a caller of the tenant into its stored form. */
export async function systemIdentifier(tenant: Issuers, identifier: string): Promise<string> {
  const stored = systemIdentifiers.find((one) => identifier.endsWith(one));
  if (stored === undefined) return identifier;
  return (await tenant.hasIssuer(identifier.slice(0, -stored.length))) ? stored : identifier;
}

/** Converts a stored API identifier into the form that callers under this issuer use. */
export function publicIdentifier(stored: string, issuer: string): string {
  return systemIdentifiers.includes(stored) ? issuer + stored : stored;
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

/** The settings of the MFA API: tokens are valid for ten minutes, as in Auth0, and cannot be refreshed. */
const mfaSettings = {
  allow_offline_access: false,
  token_lifetime: 600,
  token_lifetime_for_web: 600,
  scopes: [
    { value: "enroll", description: "Add a second factor" },
    { value: "read:authenticators", description: "Read your second factors" },
    { value: "remove:authenticators", description: "Remove your second factors" },
  ],
} as const;

/** Returns the MFA API of a tenant. Clients get its tokens only for users. */
export function mfaApi(): { readonly record: Row<"resource_servers">; readonly settings: ResourceServerSettings } {
  const record: Row<"resource_servers"> = {
    id: "mfa",
    identifier: mfaIdentifier,
    name: "MFA API",
    is_system: false,
    origin: null,
    settings: {},
    revision: 0,
    created_at: 0,
    updated_at: 0,
    deleting_at: null,
  };
  const denied = { client: { policy: "deny_all" as const }, user: { policy: "allow_all" as const } };
  return {
    record,
    settings: { ...resourceServerSettings(record), ...mfaSettings, scopes: [...mfaSettings.scopes], subject_type_authorization: denied },
  };
}
