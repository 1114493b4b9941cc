import { readAll } from "../data/read-all.ts";
import { schema, storedKey, type Row } from "../data/schema.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { toLogRow, type AuditEvent, type RequestFacts } from "../domain/audit.ts";
import type { Environment } from "../domain/environment.ts";
import type { KeyStore, KeyType, SigningKey } from "../domain/keys/signing-keys.ts";
import { currentKey } from "../domain/keys/succession.ts";
import type { TokenVerifier } from "../domain/tokens/verify.ts";
import type { Documents } from "../http/document.ts";
import type { RolePermissions } from "../domain/permissions.ts";
import { createUrls, type Urls } from "../http/urls.ts";
import type { Catalogues } from "../locales/catalogues.ts";
import { clientSettings, type ClientSettings } from "../model/client-settings.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/resource-servers.ts";
import type { TenantSettings } from "../model/tenant-settings.ts";
import { managementApi, systemIdentifier } from "./audience.ts";
import { canBeStored, changeTenant, lookUp, type Installation, type TenantEntry } from "./installation.ts";

/** A client with its settings read. */
export interface Client {
  readonly record: Row<"clients">;
  readonly settings: ClientSettings;
}

/** An API with its settings read. The Management API's scopes come from the code, whatever its record says. */
export interface Api {
  readonly record: Row<"resource_servers">;
  readonly settings: ResourceServerSettings;
}

/**
 * One tenant, as a request sees it. It already applies what is inherited and what is cached: nobody else asks where a thing comes from.
 */
export interface Tenant {
  readonly id: string;
  readonly record: Row<"tenants">;
  readonly settings: TenantSettings;
  readonly data: TenantData;
  readonly environment: Environment;
  readonly keys: KeyStore;
  readonly documents: Documents;
  /** What the pages say, in each language. */
  readonly catalogues: Catalogues;
  readonly tokens: TokenVerifier;
  /** URLs of the host that the request came in on. */
  readonly urls: Urls;
  readonly facts: RequestFacts;
  client(clientId: string): Promise<Client | undefined>;
  clientGrants(clientId: string): Promise<readonly Row<"client_grants">[]>;
  connections(): Promise<readonly Row<"connections">[]>;
  /** An API by its identifier, as a caller writes it. */
  api(identifier: string): Promise<Api | undefined>;
  /** APIs by the ids of their records; ids that name none are left out. */
  apis(ids: readonly string[]): Promise<readonly Api[]>;
  /** The permissions that a role gives. */
  readonly rolePermissions: RolePermissions;
  /** An organization by its id, or by its name in any case. */
  organization(idOrName: string): Promise<Row<"organizations"> | undefined>;
  /** The connections that members of an organization may sign in with; none stands for all that the client offers. */
  organizationConnections(organizationId: string): Promise<readonly Row<"organization_connections">[]>;
  /** Every key of the tenant, and those it shares with the control plane. */
  signingKeys(): Promise<readonly SigningKey[]>;
  /** The keys of the control plane that the tenant shares; none for the control plane itself. */
  inheritedKeys(): Promise<readonly SigningKey[]>;
  /**
   * The key that signs now: the tenant's own where it has one, else the control plane's.
   * @param alg preferred where keys of several algorithms are active, none of them outgoing.
   */
  currentKey(type: KeyType, alg?: string): Promise<SigningKey | undefined>;
  /** Every key of every tenant that shares the issuer of this request: what its JWKS lists. */
  issuerKeys(): Promise<readonly SigningKey[]>;
  /** Every issuer that tokens of the tenant may name: that of each verified host, and the configured one. */
  issuers(): Promise<readonly string[]>;
  /** Changes the tenant's own record; `change` is asked again where another change came first. */
  change(change: (record: Row<"tenants">) => Partial<Row<"tenants">>): Promise<Row<"tenants">>;
  /** Takes a client id, which is unique across tenants. @returns false when another client has it. */
  reserveClientId(clientId: string): Promise<boolean>;
  /** Gives a client id back. */
  releaseClientId(clientId: string): Promise<void>;
  /**
   * Takes a domain, which is unique across tenants, or makes a host name answer for the tenant. The insert decides; repeatable.
   * @returns false when it is another tenant's.
   */
  reserve(kind: "domain" | "host", value: string): Promise<boolean>;
  /** Gives back what {@link Tenant.reserve} took. */
  release(kind: "domain" | "host", value: string): Promise<void>;
  /** Puts an event on record. Resolves when it is stored. */
  audit(event: AuditEvent): Promise<void>;
}

/** Opens a tenant for a request. */
export function openTenant(installation: Installation, { record, settings }: TenantEntry, urls: Urls, facts: RequestFacts): Tenant {
  const { cache, catalogues, documents, environment, keys, tokens } = installation;
  const { id } = record;
  const data = installation.scope(id);

  const issuers = async (): Promise<readonly string[]> => {
    const domains = await cache.get(id, "custom_domains", "", () => readAll(data.custom_domains, schema.custom_domains.key, {}));
    const ready = (domains ?? []).filter(({ status }) => status === "ready");
    return [installation.urls.issuer, ...ready.map(({ domain }) => issuerOfHost(installation, domain))];
  };

  return {
    id,
    record,
    settings,
    data,
    environment,
    keys,
    documents,
    catalogues,
    tokens,
    urls,
    facts,
    issuers,
    client: (clientId) =>
      cache.get(id, "clients", clientId, async () => {
        const [row] = canBeStored(clientId, 64) ? await data.clients.find({ where: { client_id: clientId }, limit: 1 }) : [];
        return row && { record: row, settings: clientSettings(row) };
      }),
    clientGrants: async (clientId) =>
      (await cache.get(id, "client_grants", clientId, () => readAll(data.client_grants, ["created_at", "id"], { client_id: clientId }))) ??
      [],
    connections: async () => (await cache.get(id, "connections", "", () => readAll(data.connections, ["created_at", "id"], {}))) ?? [],
    api: async (identifier) => {
      const stored = systemIdentifier(identifier, identifier.startsWith(urls.issuer) ? [urls.issuer] : await issuers());
      return cache.get(id, "resource_servers", stored, async () => {
        const [row] = stored.length > 600 ? [] : await data.resource_servers.find({ where: { identifier: stored }, limit: 1 });
        return row && toApi(row);
      });
    },
    apis: async (ids) => {
      const found = await Promise.all(
        ids.map((apiId) =>
          cache.get(id, "resource_servers", `id:${apiId}`, async () => {
            const [row] = await data.resource_servers.find({ where: { id: apiId }, limit: 1 });
            return row && toApi(row);
          }),
        ),
      );
      return found.filter((api) => api !== undefined);
    },
    rolePermissions: async (roleId) => {
      const [role, permissions] = await Promise.all([
        cache.get(id, "roles", roleId, async () => (await data.roles.find({ where: { id: roleId }, limit: 1 }))[0]),
        cache.get(id, "role_permissions", roleId, () => readAll(data.role_permissions, schema.role_permissions.key, { role_id: roleId })),
      ]);
      // What is left of a role while it is removed, or was written beside its removal, gives nothing.
      return role === undefined ? [] : (permissions ?? []);
    },
    organization: async (idOrName) =>
      cache.get(id, "organizations", idOrName, async () => {
        const where = idOrName.startsWith("org_") ? { id: idOrName } : { name: idOrName.toLowerCase() };
        const [row] = canBeStored(idOrName, 64) ? await data.organizations.find({ where, limit: 1 }) : [];
        return row;
      }),
    organizationConnections: async (organizationId) =>
      (await cache.get(id, "organization_connections", organizationId, () =>
        readAll(data.organization_connections, schema.organization_connections.key, { organization_id: organizationId }),
      )) ?? [],
    signingKeys: async () => [...(await keysOf(installation, id)), ...(await inheritedKeys(installation, id))],
    inheritedKeys: () => inheritedKeys(installation, id),
    currentKey: async (type, alg) => {
      const now = environment.clock.now();
      const chosen = (keys: readonly SigningKey[]): SigningKey | undefined =>
        currentKey(
          keys.filter((key) => key.alg === alg && key.retires_at === null),
          type,
          now,
        ) ?? currentKey(keys, type, now);
      return chosen(await keysOf(installation, id)) ?? chosen(await inheritedKeys(installation, id));
    },
    issuerKeys: async () => {
      const shared = urls.issuer === installation.urls.issuer ? await sharedIssuerKeys(installation) : await keysOf(installation, id);
      return [...shared, ...(await inheritedKeys(installation, id)).filter((key) => !shared.some(({ kid }) => kid === key.kid))];
    },
    change: (change) => changeTenant(installation, id, change),
    reserveClientId: (clientId) =>
      installation.collections.directory.insert([{ kind: "client", value: clientId, tenant_id: id, created_at: environment.clock.now() }]),
    releaseClientId: async (clientId) => {
      await installation.collections.directory.delete({ kind: "client", value: clientId, tenant_id: id });
      cache.invalidate("", "directory");
    },
    reserve: async (kind, value) => {
      const { directory } = installation.collections;
      if (await directory.insert([{ kind, value, tenant_id: id, created_at: environment.clock.now() }])) return true;
      const [owner] = await directory.find({ where: { kind, value }, limit: 1 });
      return owner?.tenant_id === id;
    },
    release: async (kind, value) => {
      await installation.collections.directory.delete({ kind, value, tenant_id: id });
      cache.invalidate("", "directory");
    },
    audit: (event) => installation.audit.write({ ...toLogRow(environment, event, facts), tenant_id: id }),
  };
}

function toApi(record: Row<"resource_servers">): Api {
  return { record, settings: record.is_system ? managementApi(record) : resourceServerSettings(record) };
}

/** The issuer of a tenant's own host: the configured base path, under https. */
function issuerOfHost({ urls }: Installation, host: string): string {
  return `https://${host}${urls.basePath}`;
}

/**
 * The URLs that answers to a request are made with: those of the host it came in on where that is a tenant's own, else those of the configured issuer.
 * Any other host name changes nothing: what a caller writes into a header never becomes part of an address.
 */
export async function urlsOfHost(
  installation: Installation,
  host: string,
): Promise<{ readonly urls: Urls; readonly tenantId: string | undefined }> {
  const configured = { urls: installation.urls, tenantId: undefined };
  // Host names of tenants are domain names: an address or a bare name needs no question.
  if (host === installation.urls.host || !/^[a-z0-9.-]+\.[a-z]{2,}$/.test(host)) return configured;
  const tenantId = await lookUp(installation, "host", host);
  return tenantId === undefined ? configured : { urls: createUrls(issuerOfHost(installation, host)), tenantId };
}

async function keysOf({ cache, scope }: Installation, tenantId: string): Promise<readonly SigningKey[]> {
  return (await cache.get(tenantId, "signing_keys", "", () => readAll(scope(tenantId).signing_keys, schema.signing_keys.key, {}))) ?? [];
}

/** The keys of all tenants: any of them may use the configured issuer. One question across tenants, answered from an index of its own. */
async function sharedIssuerKeys({ cache, collections }: Installation): Promise<readonly SigningKey[]> {
  return (
    (await cache.get("", "signing_keys", "", () =>
      readAll(collections.signing_keys, storedKey(schema.signing_keys), { type: "jwt_signing" }),
    )) ?? []
  );
}

async function inheritedKeys(installation: Installation, tenantId: string): Promise<readonly SigningKey[]> {
  const { controlPlaneTenantId } = installation;
  return controlPlaneTenantId === undefined || controlPlaneTenantId === tenantId ? [] : keysOf(installation, controlPlaneTenantId);
}
