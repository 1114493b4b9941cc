import { findByIds } from "../store/by-ids.ts";
import { readAll } from "../store/read-all.ts";
import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { connectionsOfDomain } from "../identity/connections/connection-domains.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import type { Client } from "../model/clients/client.ts";
import { clientSettings } from "../model/clients/settings.ts";
import { managementApi } from "./audience.ts";
import type { CacheKey } from "./cache.ts";
import type { Installation } from "./installation.ts";

/** An API with its settings read. The Management API's scopes come from the code, whatever its record says. */
export interface Api {
  readonly record: Row<"resource_servers">;
  readonly settings: ResourceServerSettings;
}

/** By what an API is looked up: the identifier that it is stored under, or the id of its record. */
export type ApiKey = { readonly identifier: string } | { readonly id: string };

/** What a tenant itself has set, kept in the cache of settings. Nothing of it is inherited. */
export class TenantSettingsCache {
  readonly data: TenantData;
  readonly #cache: Installation["cache"];

  constructor({ cache, scope }: Pick<Installation, "cache" | "scope">, tenantId: string) {
    this.data = scope(tenantId);
    this.#cache = cache;
  }

  client(clientId: string): Promise<Client | undefined> {
    return this.#cache.get(this.data.tenantId, "clients", ["id", clientId], () => this.#readClient(clientId));
  }

  /** A client that may not be there, for whoever asks for the same one again and again: it is kept as well that there is none. */
  async knownClient(clientId: string): Promise<Client | undefined> {
    const known = await this.#cache.get(this.data.tenantId, "clients", ["known", clientId], async () => ({
      client: await this.#readClient(clientId),
    }));
    return known?.client;
  }

  /** The connections that pages offer to everybody, oldest first. */
  async listedConnections(): Promise<readonly Row<"connections">[]> {
    const read = () => readAll(this.data.connections, ["created_at", "id"], { listed: true });
    return (await this.#cache.get(this.data.tenantId, "connections", ["listed"], read)) ?? [];
  }

  /** A connection by its id or its name. */
  connection(key: { readonly id: string } | { readonly name: string }): Promise<Row<"connections"> | undefined> {
    const name = "id" in key ? (["id", key.id] as const) : (["name", key.name] as const);
    const read = async () => (await this.data.connections.find({ where: { ...key }, limit: 1 }))[0];
    return this.#cache.get(this.data.tenantId, "connections", name, read);
  }

  /** The connections that have these names, where there are such. */
  async connectionsNamed(names: readonly string[]): Promise<readonly Row<"connections">[]> {
    const read = () => findByIds(this.data.connections, "name", names);
    return (await this.#cache.get(this.data.tenantId, "connections", ["names", ...names], read)) ?? [];
  }

  /** The connections whose people have addresses of a domain. A tenant whose connections have no domains is asked for none. */
  async connectionsOfDomain(domain: string): Promise<readonly Row<"connections">[]> {
    const cache = this.#cache;
    const { tenantId } = this.data;
    const any = async () => ({ any: (await this.data.connection_domains.find({ where: {}, limit: 1 })).length > 0 });
    if (!(await cache.get(tenantId, "connection_domains", ["any"], any))?.any) return [];
    const read = async () => {
      const found = await connectionsOfDomain(this.data, domain);
      // What is not there is not remembered: see the cache.
      return found.length === 0 ? undefined : found;
    };
    return (await cache.get(tenantId, "connections", ["domain", domain], read)) ?? [];
  }

  api(key: ApiKey): Promise<Api | undefined> {
    return this.#cache.get(this.data.tenantId, "resource_servers", cacheKeyOf(key), () => this.readApi(key));
  }

  /** An API as it is stored now. */
  async readApi(key: ApiKey): Promise<Api | undefined> {
    const [record] = await this.data.resource_servers.find({ where: { ...key }, limit: 1 });
    return record && { record, settings: record.is_system ? managementApi(record) : resourceServerSettings(record) };
  }

  async #readClient(clientId: string): Promise<Client | undefined> {
    const [record] = await this.data.clients.find({ where: { client_id: clientId }, limit: 1 });
    return record && { record, settings: clientSettings(record) };
  }
}

/** The cache key of an API. An identifier and an id never share a key: callers choose identifiers. */
export function cacheKeyOf(key: ApiKey): CacheKey {
  return "id" in key ? ["id", key.id] : ["identifier", key.identifier];
}
