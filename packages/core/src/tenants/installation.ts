import { createElapsed, type Clock } from "../adapters/clock.ts";
import type { ControlPlaneResolver } from "../adapters/control-plane.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import { findOne } from "../store/find-one.ts";
import { changeRow, requireRow } from "../store/change-row.ts";
import type { Collections } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { tenantData, type TenantData } from "../store/tenant-data.ts";
import type { ServiceContext, TenantMessages } from "../context.ts";
import { PosternError } from "../errors.ts";
import type { Translations } from "../locales/translations.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";
import { tenantSettingDefinitions, type SupportedTenantSettings } from "../model/tenant/settings.ts";
import type { KeyStore } from "../tokens/keys/signing-keys.ts";
import type { TokenVerifier } from "../tokens/verify.ts";
import type { Documents } from "../http/document.ts";
import type { Urls } from "../http/urls.ts";
import type { AuditWriter } from "./audit-writer.ts";
import type { Cache } from "./cache.ts";
import type { Executor } from "./lifecycle/executor.ts";
import type { LoginSessionBudget } from "./login-session-budget.ts";
import type { NewNumberLimits } from "./new-number-budget.ts";
import type { Stores } from "./databases/stores.ts";
import { boundedMap } from "../store/bounded-map.ts";
import type { Subdomains } from "./subdomains.ts";
import type { RequestTenant } from "./tenant.ts";

/** The permissions and roles that every member of a tenant's organization has in that tenant. */
export interface MemberAccess {
  /** Permissions for the Management API. */
  readonly permissions: readonly string[];
  /** Roles of the control plane. */
  readonly roles: readonly string[];
}

/** How much strangers may cause by naming or registering external clients, in an hour and per process if not said otherwise. */
export interface ExternalClientLimits {
  /** Metadata documents that are fetched for one IP address, per tenant. */
  readonly clientDocumentsPerAddress: number;
  /** Metadata documents that are fetched for all visitors of a tenant. */
  readonly clientDocumentsPerTenant: number;
  /** Clients that one IP address registers without an initial access token, per tenant. */
  readonly registrationsPerAddress: number;
  /** The clients of a tenant, at any time, that were registered without an initial access token and never accepted by a user. */
  readonly unusedClients: number;
}

/**
 * The state of one `createPostern` call, shared by all its tenants. This is the only access to data that is not limited
 * to one tenant.
 */
export interface Installation extends ServiceContext {
  /** Access to the data of each tenant. */
  readonly stores: Stores;
  /**
   * The first database. It contains the tenants, the directory, the operations, and the data of every tenant without a
   * tenant-specific database.
   */
  readonly collections: Collections;
  readonly cache: Cache;
  readonly audit: AuditWriter;
  readonly loginSessions: LoginSessionBudget;
  readonly newNumberLimits: NewNumberLimits;
  readonly externalClientLimits: ExternalClientLimits;
  readonly keys: KeyStore;
  readonly tokens: TokenVerifier;
  readonly documents: Documents;
  /**
   * Returns the functions that send a tenant's messages. Passed in, because this folder must not import `messages/`.
   */
  readonly messagesOf: (tenant: RequestTenant) => TenantMessages;
  /** The texts of the pages, by language. */
  readonly translations: Translations;
  /** URLs of the configured issuer, shared by all tenants without a tenant-specific host. */
  readonly urls: Urls;
  /** The subdomains of tenants; undefined without `subdomainRouting`. */
  readonly subdomains: Subdomains | undefined;
  /** The path of the host application's custom login page. */
  readonly loginPage: string | undefined;
  /** The tenant that serves requests that do not name a tenant. */
  readonly defaultTenantId: string | undefined;
  /** The tenant that manages the other tenants. They share its keys. */
  readonly controlPlaneTenantId: string | undefined;
  /** Whether a control plane token can access another tenant only if it was issued for that tenant's organization. */
  readonly requireOrganizationMatch: boolean;
  /** Which kinds of resources are copied from the control plane to the other tenants. */
  readonly sync: { readonly resourceServers: boolean; readonly roles: boolean };
  /** The permissions and roles that every member of a new tenant's organization has in that tenant. */
  readonly memberAccess: MemberAccess;
  readonly hooks: TenantHooks;
  /** Runs operations on tenants. */
  readonly executor: Executor;
  readonly isolation: DatabaseIsolation | undefined;
  /** The client of the control plane that provides fallback settings for the clients of other tenants. */
  readonly controlPlaneClientId: string | undefined;
  /** Returns the tenant that a tenant inherits from, instead of the control plane. */
  readonly resolveControlPlane: ControlPlaneResolver | undefined;
  /**
   * The same installation for jobs, whose data calls have a longer timeout than those of requests. The installation for
   * jobs refers to itself here.
   */
  readonly jobs: Installation;
  /** Returns the data of one tenant. The object is cached. */
  scope(tenantId: string): TenantData;
}

/**
 * How long a scope is cached, in milliseconds. A scope takes 18 kB. It expires so that scopes of deleted tenants are
 * evicted.
 */
const scopeLifetime = 10 * 60_000;

/** Creates {@link Installation.scope}. Writes through a scope invalidate the cached entries of the collection. */
export function createScopes(stores: Stores, cache: Cache, clock: Clock): (tenantId: string) => TenantData {
  const scopes = boundedMap<TenantData>({ entries: 1000, expiry: { lifetime: scopeLifetime, elapsed: createElapsed(clock) } });
  return (tenantId) => {
    let scope = scopes.get(tenantId);
    if (scope === undefined) {
      scope = tenantData(stores.collectionsOf(tenantId), tenantId, (collection) => cache.invalidate(tenantId, collection));
      scopes.set(tenantId, scope);
    }
    return scope;
  };
}

/** A tenant's row with its settings parsed. */
export interface TenantEntry {
  readonly record: Row<"tenants">;
  readonly settings: SupportedTenantSettings;
}

/**
 * Returns a tenant; undefined if it does not exist, is being created or is being deleted. `tenantId` may be any text
 * that a request contains. Text that cannot be a tenant id is never looked up.
 */
export async function findTenant(
  { cache, collections }: Pick<Installation, "cache" | "collections">,
  tenantId: string,
): Promise<TenantEntry | undefined> {
  if (!isTenantId(tenantId)) return undefined;
  return cache.get(tenantId, "tenants", ["record"], async () => {
    const record = await findOne(collections.tenants, living(tenantId));
    return record && { record, settings: tenantSettingDefinitions(record) };
  });
}

const living = (tenantId: string) => ({ id: tenantId, deleting_at: null, ready_at: { exists: true } }) as const;

/**
 * Returns the tenant that an organization of the control plane represents, by the organization id in the tenant's row.
 * Undefined for any other organization.
 */
export async function findTenantOfOrganization(installation: Installation, organizationId: string): Promise<TenantEntry | undefined> {
  const { cache, collections } = installation;
  const known = await cache.get("", "tenants", ["organization", organizationId], async () => {
    const record = await findOne(collections.tenants, { organization_id: organizationId });
    return record;
  });
  // Reads the tenant by its id, because each change of a tenant invalidates the cache entry for its id.
  const entry = known && (await findTenant(installation, known.id));
  return entry?.record.organization_id === organizationId ? entry : undefined;
}

/** Changes a tenant's row. `change` is called again after a conflict with a concurrent change. */
export async function changeTenant(
  installation: Installation,
  tenantId: string,
  change: (record: Row<"tenants">) => Partial<Row<"tenants">>,
): Promise<Row<"tenants">> {
  const changed = await changeRow(installation.collections.tenants, living(tenantId), (record) => ({
    ...change(record),
    updated_at: installation.now(),
  }));
  forgetTenant({ cache: installation.cache }, tenantId);
  return requireRow(changed, "tenant", () => new PosternError("not_found", "there is no such tenant"));
}

/** Removes a tenant's row from the cache of this process. */
export function forgetTenant({ cache }: Pick<Installation, "cache">, tenantId: string): void {
  cache.invalidate(tenantId, "tenants");
  cache.invalidate("", "tenants");
}

/** Returns the tenant that a client id or a host name belongs to. */
export async function lookUp({ cache, collections }: Installation, kind: "client" | "host", value: string): Promise<string | undefined> {
  const entry = await cache.get("", "directory", [kind, value], async () => {
    const row = await findOne(collections.directory, { kind, value });
    return row;
  });
  return entry?.tenant_id;
}
