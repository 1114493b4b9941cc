import type { Row } from "../store/schema.ts";
import type { FactorDemand } from "../identity/factors/factor-policy.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { managementSystemApi, systemApis, userinfoSystemApi, type SystemApi } from "./system-apis.ts";

/** The stored identifier of the Management API. */
export const managementIdentifier = managementSystemApi.identifier;

/** A tenant, limited to the check of its issuers. */
interface Issuers {
  hasIssuer(issuer: string): Promise<boolean>;
}

/** Returns the system API that an identifier from a caller of the tenant names. */
async function namedSystemApi(tenant: Issuers, identifier: string): Promise<SystemApi | undefined> {
  for (const api of systemApis) {
    if (identifier.endsWith(api.identifier) && (await tenant.hasIssuer(identifier.slice(0, -api.identifier.length)))) return api;
  }
  return undefined;
}

/** Converts an API identifier from a caller of the tenant into its stored form. */
export async function systemIdentifier(tenant: Issuers, identifier: string): Promise<string> {
  return (await storedAudience(tenant, identifier)) ?? identifier;
}

/** Converts a stored API identifier into the form that callers under this issuer use. @param stored null for `/userinfo`. */
export function publicIdentifier(stored: string | null, issuer: string): string {
  if (stored === null) return issuer + userinfoSystemApi.identifier;
  return systemApis.some(({ storedIdentifier }) => storedIdentifier === stored) ? issuer + stored : stored;
}

/**
 * Converts an API identifier from a caller into the audience that is stored in grants: null for `/userinfo`, which is
 * the same API under every issuer of the tenant.
 */
export async function storedAudience(tenant: Issuers, identifier: string): Promise<string | null> {
  const api = await namedSystemApi(tenant, identifier);
  return api === undefined ? identifier : api.storedIdentifier;
}

/** Returns why a tenant cannot create an API with this identifier; undefined if no system API has it. */
export async function reservedText(tenant: Issuers, identifier: string): Promise<string | undefined> {
  const api = (await namedSystemApi(tenant, identifier)) ?? systemApis.find(({ storedIdentifier }) => storedIdentifier === identifier);
  return api?.reserved;
}

/** Returns the settings of an API with this row. The scopes of a system API are those of its routes. */
export function settingsOfApi(row: Row<"resource_servers">): ResourceServerSettings {
  return { ...resourceServerSettings(row), ...systemSettings(row) };
}

/** Returns the settings of a system API that replace those of its row. */
export function systemSettings({ is_system: isSystem, identifier }: Row<"resource_servers">): Partial<ResourceServerSettings> {
  const api = systemApis.find(({ hasRow, storedIdentifier }) => isSystem && hasRow && storedIdentifier === identifier);
  return api === undefined ? {} : api.settings;
}

/** Returns a system API for which tenants store no row. */
export function apiWithoutRow(
  identifier: string,
): { readonly record: Row<"resource_servers">; readonly settings: ResourceServerSettings } | undefined {
  const api = systemApis.find(({ hasRow, storedIdentifier }) => !hasRow && storedIdentifier === identifier);
  if (api === undefined) return undefined;
  const record: Row<"resource_servers"> = {
    id: identifier.replace(/\/$/, ""),
    identifier,
    name: api.name,
    is_system: false,
    origin: null,
    settings: {},
    revision: 0,
    created_at: 0,
    updated_at: 0,
    deleting_at: null,
  };
  return { record, settings: { ...resourceServerSettings(record), ...api.settings } };
}

/** Whether the service itself provides an API. */
export function isSystemApi({ identifier }: Pick<Row<"resource_servers">, "identifier">): boolean {
  return systemApis.some(({ storedIdentifier }) => storedIdentifier === identifier);
}

/** Returns the factors that a request for tokens of an API requires. @param stored the audience in its stored form. */
export function demandsOfAudience(stored: string | null): readonly FactorDemand[] {
  return systemApis.find(({ storedIdentifier }) => storedIdentifier === stored)?.demands ?? [];
}
