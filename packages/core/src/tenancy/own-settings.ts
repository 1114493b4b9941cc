import { readAll } from "../data/read-all.ts";
import type { Row } from "../data/schema.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { resourceServerSettings, type ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { clientSettings, type ClientSettings } from "../model/clients/settings.ts";
import { managementApi } from "./audience.ts";
import type { Installation } from "./installation.ts";

/** A client with its settings read. */
export interface Client {
  readonly record: Row<"clients">;
  readonly settings: ClientSettings;
  /** Its answers go where the client of the tenant that it inherits from has them go, and not where it says itself. */
  readonly answersLent?: true;
}

/** An API with its settings read. The Management API's scopes come from the code, whatever its record says. */
export interface Api {
  readonly record: Row<"resource_servers">;
  readonly settings: ResourceServerSettings;
}

/** By what an API is looked up: the identifier that it is stored under, or the id of its record. */
export type ApiKey = { readonly identifier: string } | { readonly id: string };

/** What a tenant itself has set, kept in the cache of settings. Nothing of it is inherited. */
export class OwnSettings {
  readonly data: TenantData;
  readonly #cache: Installation["cache"];

  constructor({ cache, scope }: Pick<Installation, "cache" | "scope">, tenantId: string) {
    this.data = scope(tenantId);
    this.#cache = cache;
  }

  client(clientId: string): Promise<Client | undefined> {
    return this.#cache.get(this.data.tenantId, "clients", `id:${clientId}`, () => this.#readClient(clientId));
  }

  /** A client that may not be there, for whoever asks for the same one again and again: it is kept as well that there is none. */
  async knownClient(clientId: string): Promise<Client | undefined> {
    const known = await this.#cache.get(this.data.tenantId, "clients", `known:${clientId}`, async () => ({
      client: await this.#readClient(clientId),
    }));
    return known?.client;
  }

  async connections(): Promise<readonly Row<"connections">[]> {
    const read = () => readAll(this.data.connections, ["created_at", "id"], {});
    return (await this.#cache.get(this.data.tenantId, "connections", "", read)) ?? [];
  }

  api(key: ApiKey): Promise<Api | undefined> {
    return this.#cache.get(this.data.tenantId, "resource_servers", nameOf(key), () => this.readApi(key));
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

/** What an API is kept under. Each kind of key has names of its own: identifiers are callers' to choose. */
export function nameOf(key: ApiKey): string {
  return "id" in key ? `id:${key.id}` : `identifier:${key.identifier}`;
}
