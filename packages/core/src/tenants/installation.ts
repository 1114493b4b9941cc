import type { ControlPlaneResolver } from "../adapters/control-plane.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import { changeRow, requireRow } from "../store/change-row.ts";
import type { Collections } from "../store/contract.ts";
import type { Row } from "../store/schema.ts";
import { tenantData, type TenantData } from "../store/tenant-data.ts";
import type { ServiceContext, TenantMessages } from "../context.ts";
import { PosternError } from "../errors.ts";
import type { Translations } from "../locales/translations.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";
import { tenantSettings, type TenantSettings } from "../model/tenant/settings.ts";
import type { KeyStore } from "../tokens/keys/signing-keys.ts";
import type { TokenVerifier } from "../tokens/verify.ts";
import type { Documents } from "../http/document.ts";
import type { Urls } from "../http/urls.ts";
import type { AuditWriter } from "./audit-writer.ts";
import type { Cache } from "./cache.ts";
import type { Executor } from "./lifecycle/executor.ts";
import type { LoginSessionBudget } from "./login-session-budget.ts";
import type { Stores } from "./databases/stores.ts";
import { boundedMap } from "../store/bounded-map.ts";
import type { Subdomains } from "./subdomains.ts";
import type { Tenant } from "./tenant.ts";

/** What members of a tenant's organization hold in it. */
export interface MemberAccess {
  /** Permissions of the Management API. */
  readonly permissions: readonly string[];
  /** Roles of the control plane. */
  readonly roles: readonly string[];
}

/** What one `createPostern` call holds, shared by all its tenants. The only place from which data is reached without a tenant's scope. */
export interface Installation extends ServiceContext {
  /** Where the data of each tenant is. */
  readonly stores: Stores;
  /** The first database: tenants, the directory, operations, and the data of every tenant without a database of its own. */
  readonly collections: Collections;
  readonly cache: Cache;
  readonly audit: AuditWriter;
  readonly loginSessions: LoginSessionBudget;
  readonly keys: KeyStore;
  readonly tokens: TokenVerifier;
  readonly documents: Documents;
  /** The mails that the rules of a tenant send. Passed in, because mail is above this folder. */
  readonly messagesOf: (tenant: Tenant) => TenantMessages;
  /** What the pages say, in each language. */
  readonly translations: Translations;
  /** URLs of the configured issuer, which tenants without a host of their own share. */
  readonly urls: Urls;
  /** The hosts of tenants below one domain; undefined where tenants have none. */
  readonly subdomains: Subdomains | undefined;
  /** The path of the host's own login page. */
  readonly loginPage: string | undefined;
  /** The tenant of requests that name none. */
  readonly defaultTenantId: string | undefined;
  /** The tenant that manages the others, and whose keys they share. */
  readonly controlPlaneTenantId: string | undefined;
  /** Whether a token of the control plane reaches another tenant by its organization alone. */
  readonly requireOrganizationMatch: boolean;
  /** What is copied from the control plane to the other tenants. */
  readonly sync: { readonly resourceServers: boolean; readonly roles: boolean };
  /** What members of a new tenant's organization are given. */
  readonly memberAccess: MemberAccess;
  readonly hooks: TenantHooks;
  /** Has operations on tenants done. */
  readonly executor: Executor;
  readonly isolation: DatabaseIsolation | undefined;
  /** The client of the control plane whose settings clients of other tenants fall back to. */
  readonly controlPlaneClientId: string | undefined;
  /** Asked for each tenant whom it inherits from, in place of the control plane. */
  readonly resolveControlPlane: ControlPlaneResolver | undefined;
  /** The same installation for jobs, whose data calls may take longer than those of requests. Of the installation of jobs: itself. */
  readonly jobs: Installation;
  /** One tenant's data. The same object each time, so that its collections are wrapped once. */
  scope(tenantId: string): TenantData;
}

/** Makes {@link Installation.scope}. Writes through a scope drop what the cache holds of the collection. */
export function createScopes(stores: Stores, cache: Cache): (tenantId: string) => TenantData {
  // Each has some dozens of collections, and is made in no time.
  const scopes = boundedMap<TenantData>({ entries: 1000 });
  return (tenantId) => {
    let scope = scopes.get(tenantId);
    if (scope === undefined) {
      scope = tenantData(stores.collectionsOf(tenantId), tenantId, (collection) => cache.invalidate(tenantId, collection));
      scopes.set(tenantId, scope);
    }
    return scope;
  };
}

/** A tenant's record with its settings read. */
export interface TenantEntry {
  readonly record: Row<"tenants">;
  readonly settings: TenantSettings;
}

/**
 * Returns a tenant; undefined for one that does not exist, is being created or is being deleted. `tenantId` may be any text that a request contains:
 * text that cannot be a tenant id is never looked up.
 */
export async function findTenant(
  { cache, collections }: Pick<Installation, "cache" | "collections">,
  tenantId: string,
): Promise<TenantEntry | undefined> {
  if (!isTenantId(tenantId)) return undefined;
  return cache.get(tenantId, "tenants", ["record"], async () => {
    const [record] = await collections.tenants.find({ where: living(tenantId), limit: 1 });
    return record && { record, settings: tenantSettings(record) };
  });
}

const living = (tenantId: string) => ({ id: tenantId, deleting_at: null, ready_at: { exists: true } }) as const;

/** The tenant that an organization of the control plane stands for, by the id that the tenant's record holds; undefined for any other organization. */
export async function findTenantOfOrganization(installation: Installation, organizationId: string): Promise<TenantEntry | undefined> {
  const { cache, collections } = installation;
  const known = await cache.get("", "tenants", ["organization", organizationId], async () => {
    const [record] = await collections.tenants.find({ where: { organization_id: organizationId }, limit: 1 });
    return record;
  });
  // By its id once more: what is kept under that is dropped by each change.
  const entry = known && (await findTenant(installation, known.id));
  return entry?.record.organization_id === organizationId ? entry : undefined;
}

/** Changes a tenant's record: `change` is asked again where another change came first. */
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

/** Drops what this process keeps of a tenant's record. */
export function forgetTenant({ cache }: Pick<Installation, "cache">, tenantId: string): void {
  cache.invalidate(tenantId, "tenants");
  cache.invalidate("", "tenants");
}

/** The tenant that a client id or a host name belongs to. */
export async function lookUp({ cache, collections }: Installation, kind: "client" | "host", value: string): Promise<string | undefined> {
  const entry = await cache.get("", "directory", [kind, value], async () => {
    const [row] = await collections.directory.find({ where: { kind, value }, limit: 1 });
    return row;
  });
  return entry?.tenant_id;
}
