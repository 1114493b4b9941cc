import type { CollectionDescription, RowOf } from "./description.ts";
import { appSessionRecords } from "./records/app-sessions.ts";
import {
  clientGrants,
  clients,
  connectionDomains,
  connections,
  initialAccessTokens,
  organizationClientGrants,
  resourceServers,
} from "./records/applications.ts";
import {
  authorizationCodes,
  consents,
  destinationBudgets,
  deviceCredentials,
  loginAttempts,
  loginSessions,
  logoutDeliveries,
  messageCounts,
  oneTimeCodes,
  pushedRequests,
  refreshTokens,
  revokedGrants,
  sessions,
  tickets,
  tokenCounts,
} from "./records/grants.ts";
import { deviceCodes } from "./records/device-codes.ts";
import { factors, trustedBrowsers } from "./records/factors.ts";
import { customTexts, storedDocuments } from "./records/pages.ts";
import { dailyStatistics } from "./records/statistics.ts";
import {
  invitations,
  organizationConnections,
  organizationMembers,
  organizations,
  passwords,
  rolePermissions,
  roles,
  upstreamTokens,
  userPermissions,
  userRoles,
  users,
} from "./records/users.ts";
import {
  customDomains,
  directory,
  emailProviders,
  emailTemplates,
  jobs,
  logStreamDeliveries,
  logStreams,
  logs,
  signingKeys,
  tenantOperationEvents,
  tenantOperations,
  tenants,
  usedAssertions,
} from "./records/tenants.ts";

/** Every collection that Postern stores, by name. */
export const schema = {
  tenants,
  directory,
  custom_domains: customDomains,
  signing_keys: signingKeys,
  email_providers: emailProviders,
  email_templates: emailTemplates,
  tenant_operations: tenantOperations,
  tenant_operation_events: tenantOperationEvents,
  logs,
  daily_statistics: dailyStatistics,
  log_streams: logStreams,
  log_stream_deliveries: logStreamDeliveries,
  jobs,
  used_assertions: usedAssertions,
  custom_texts: customTexts,
  stored_documents: storedDocuments,
  clients,
  initial_access_tokens: initialAccessTokens,
  resource_servers: resourceServers,
  client_grants: clientGrants,
  connections,
  connection_domains: connectionDomains,
  users,
  passwords,
  factors,
  trusted_browsers: trustedBrowsers,
  upstream_tokens: upstreamTokens,
  roles,
  role_permissions: rolePermissions,
  user_roles: userRoles,
  user_permissions: userPermissions,
  organizations,
  organization_members: organizationMembers,
  organization_connections: organizationConnections,
  organization_client_grants: organizationClientGrants,
  invitations,
  sessions,
  logout_deliveries: logoutDeliveries,
  pushed_requests: pushedRequests,
  authorization_codes: authorizationCodes,
  device_codes: deviceCodes,
  refresh_tokens: refreshTokens,
  revoked_grants: revokedGrants,
  consents,
  device_credentials: deviceCredentials,
  login_sessions: loginSessions,
  one_time_codes: oneTimeCodes,
  destination_budgets: destinationBudgets,
  message_counts: messageCounts,
  tickets,
  login_attempts: loginAttempts,
  token_counts: tokenCounts,
  app_sessions: appSessionRecords,
} as const satisfies { readonly [name: string]: CollectionDescription };

type Schema = typeof schema;

/** The name of a collection. */
export type CollectionName = keyof Schema;

/** Collections whose rows belong to a tenant. */
export type TenantCollectionName = { [Name in CollectionName]: Schema[Name]["scope"] extends "tenant" ? Name : never }[CollectionName];

/** Collections that an adapter may omit. Features that need them are then unavailable. */
export type OptionalCollectionName = {
  [Name in CollectionName]: Schema[Name] extends { readonly optional: true } ? Name : never;
}[CollectionName];

/** Collections whose rows belong to no tenant. */
export type GlobalCollectionName = Exclude<CollectionName, TenantCollectionName>;

/** A row as code in a tenant's scope receives it (without `tenant_id`), or a row of a global collection. */
export type Row<Name extends CollectionName> = RowOf<Schema[Name]>;

/** A row as an adapter stores it: rows of tenant collections contain their `tenant_id`. */
export type StoredRow<Name extends CollectionName> = Name extends TenantCollectionName
  ? Row<Name> & { readonly tenant_id: string }
  : Row<Name>;

/** Returns the fields of a collection as an adapter stores them, including `tenant_id`. */
export function storedFields(description: CollectionDescription): CollectionDescription["fields"] {
  return description.scope === "tenant"
    ? { tenant_id: { type: "string", length: 64, ascii: true }, ...description.fields }
    : description.fields;
}

/** Returns the key of a collection as an adapter stores it. `tenant_id` comes first if the rows belong to a tenant. */
export function storedKey(description: CollectionDescription): readonly string[] {
  return description.scope === "tenant" ? ["tenant_id", ...description.key] : description.key;
}

/** Returns the unique keys of a collection as an adapter stores them, without the key itself. */
export function storedUnique(description: CollectionDescription): readonly (readonly string[])[] {
  return description.scope === "tenant" ? description.unique.map((fields) => ["tenant_id", ...fields]) : description.unique;
}

/**
 * Returns the indexes of a collection as an adapter stores them. Each index ends in the key, so that the order of a
 * page is unambiguous and keyset pagination needs no sort. There are two exceptions: indexes that serve only counts,
 * and the index on `expiry`, do not end in the key. The indexes in `acrossTenants` and those on `expiry` and `seal` do
 * not start with the tenant.
 */
export function storedIndexes(description: CollectionDescription): readonly (readonly string[])[] {
  const scope = description.scope === "tenant" ? ["tenant_id"] : [];
  const indexes = description.indexes.map((fields) => [...scope, ...fields, ...description.key.filter((field) => !fields.includes(field))]);
  const counted = (description.counted ?? []).map((fields) => [...scope, ...fields]);
  const across = (description.acrossTenants ?? []).map((fields) => [...fields, ...storedKey(description)]);
  const expiry = description.expiry === undefined ? [] : [[description.expiry]];
  const sealed = description.sealed === undefined ? [] : [["seal", ...storedKey(description)]];
  return [...indexes, ...counted, ...across, ...expiry, ...sealed];
}
