import { findOne } from "../store/find-one.ts";
import { findByIds } from "../store/by-ids.ts";
import { readAll } from "../store/read-all.ts";
import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { connectionsOfDomain } from "../identity/connections/connection-domains.ts";
import { passkeysEnabled } from "../identity/connections/passkey-settings.ts";
import type { ResourceServerSettings } from "../model/apis/resource-servers.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { toAsciiUrl, withComparableUrls } from "../model/clients/url-spelling.ts";
import { clientSettings } from "../model/clients/settings.ts";
import { apiWithoutRow, settingsOfApi } from "./audience.ts";
import type { CacheKey } from "./cache.ts";
import type { Installation } from "./installation.ts";

/** An API with its settings parsed. The scopes of a system API come from the code, not from its row. */
export interface CachedApi {
  readonly record: Row<"resource_servers">;
  readonly settings: ResourceServerSettings;
}

/** The key of an API lookup: the stored identifier, or the id of the row. */
export type ApiKey = { readonly identifier: string } | { readonly id: string };

/** The settings of one tenant, cached, without inheritance. */
export class TenantSettingsCache {
  readonly data: TenantData;
  readonly #cache: Installation["cache"];

  constructor({ cache, scope }: Pick<Installation, "cache" | "scope">, tenantId: string) {
    this.data = scope(tenantId);
    this.#cache = cache;
  }

  client(clientId: string): Promise<RegisteredClient | undefined> {
    return this.#cache.get(this.data.tenantId, "clients", ["id", clientId], () => this.#readClient(clientId));
  }

  /** Returns a client, and also caches its absence. For callers that look up the same client repeatedly. */
  async knownClient(clientId: string): Promise<RegisteredClient | undefined> {
    const known = await this.#cache.get(this.data.tenantId, "clients", ["known", clientId], async () => ({
      client: await this.#readClient(clientId),
    }));
    return known?.client;
  }

  /** Returns the connections that pages offer to every visitor, oldest first. */
  async listedConnections(): Promise<readonly Row<"connections">[]> {
    const read = () => readAll(this.data.connections, ["created_at", "id"], { listed: true });
    return (await this.#cache.get(this.data.tenantId, "connections", ["listed"], read)) ?? [];
  }

  /** Whether users of one of the connections can sign in with passkeys. The options for passkeys are never inherited. */
  async hasPasskeys(): Promise<boolean> {
    return (await this.listedConnections()).some(passkeysEnabled);
  }

  /** Returns a connection by its id or its name. */
  connection(key: { readonly id: string } | { readonly name: string }): Promise<Row<"connections"> | undefined> {
    const name = "id" in key ? (["id", key.id] as const) : (["name", key.name] as const);
    const read = async () => findOne(this.data.connections, { ...key });
    return this.#cache.get(this.data.tenantId, "connections", name, read);
  }

  /** Returns the existing connections among these names. */
  async connectionsNamed(names: readonly string[]): Promise<readonly Row<"connections">[]> {
    const read = () => findByIds(this.data.connections, "name", names);
    return (await this.#cache.get(this.data.tenantId, "connections", ["names", ...names], read)) ?? [];
  }

  /**
   * Returns the connections for users whose email addresses have this domain. Costs no query if no connection of the
   * tenant has domains.
   */
  async connectionsOfDomain(domain: string): Promise<readonly Row<"connections">[]> {
    const cache = this.#cache;
    const { tenantId } = this.data;
    const any = async () => ({ any: (await this.data.connection_domains.find({ where: {}, limit: 1 })).length > 0 });
    if (!(await cache.get(tenantId, "connection_domains", ["any"], any))?.any) return [];
    const read = async () => {
      const found = await connectionsOfDomain(this.data, domain);
      // An empty result is not cached: see {@link Cache}.
      return found.length === 0 ? undefined : found;
    };
    return (await cache.get(tenantId, "connections", ["domain", domain], read)) ?? [];
  }

  api(key: ApiKey): Promise<CachedApi | undefined> {
    return this.#cache.get(this.data.tenantId, "resource_servers", cacheKeyOf(key), () => this.readApi(key));
  }

  /** Reads an API from the store, without the cache. */
  async readApi(key: ApiKey): Promise<CachedApi | undefined> {
    const withoutRow = "identifier" in key ? apiWithoutRow(key.identifier) : undefined;
    if (withoutRow !== undefined) return withoutRow;
    const record = await findOne(this.data.resource_servers, { ...key });
    return record && { record, settings: settingsOfApi(record) };
  }

  async #readClient(clientId: string): Promise<RegisteredClient | undefined> {
    const record = await findOne(this.data.clients, { client_id: clientId });
    // To everything but the Management API, a blocked client does not exist.
    if (record === undefined || record.blocked_at !== null) return undefined;
    const allowed_logout_urls = record.allowed_logout_urls.map(toAsciiUrl);
    return { record: { ...withComparableUrls(record), allowed_logout_urls }, settings: clientSettings(record) };
  }
}

/** Returns the cache key of an API. An identifier and an id never share a key, because callers choose identifiers. */
export function cacheKeyOf(key: ApiKey): CacheKey {
  return "id" in key ? ["id", key.id] : ["identifier", key.identifier];
}
