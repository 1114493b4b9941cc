import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { Installation } from "./installation.ts";

/**
 * Reserves a tenant's values that must be unique across all tenants: client ids and host names. A value is inserted
 * into the directory before it is used, and the tenant whose insert succeeds gets the value.
 */
export class TenantDirectory {
  readonly #installation: Installation;
  readonly #tenantId: string;

  constructor(installation: Installation, tenantId: string) {
    this.#installation = installation;
    this.#tenantId = tenantId;
  }

  /** Reserves a client id. @returns false if another client has it. */
  reserveClientId(clientId: string): Promise<boolean> {
    return this.#installation.collections.directory.insert([this.#entry("client", clientId)]);
  }

  /** Releases a client id. */
  async releaseClientId(clientId: string): Promise<void> {
    await this.#remove("client", clientId);
  }

  /**
   * Assigns a host name to the tenant. A host name belongs to one tenant only. Safe to repeat.
   * @returns false if the host name belongs to another tenant or to this service itself.
   */
  async reserveHost(host: string): Promise<boolean> {
    if (await this.isAnothersHost(host)) return false;
    if (await this.#installation.collections.directory.insert([this.#entry("host", host)])) return true;
    return !(await this.isAnothersHost(host));
  }

  /**
   * Whether a host name belongs to another tenant or to this service itself, that is, to its issuer or its subdomain
   * routing.
   */
  async isAnothersHost(host: string): Promise<boolean> {
    const { collections, urls, subdomains } = this.#installation;
    if (host === new URL(urls.issuer).hostname || subdomains?.covers(host) === true) return true;
    const owner = await findOne(collections.directory, { kind: "host", value: host });
    return owner !== undefined && owner.tenant_id !== this.#tenantId;
  }

  /** Whether requests to a host name are served by this service, for any tenant. */
  async isHostOfService(host: string): Promise<boolean> {
    const { collections, urls, subdomains } = this.#installation;
    if (host === new URL(urls.issuer).hostname || subdomains?.covers(host) === true) return true;
    return (await collections.directory.count({ kind: "host", value: host })) > 0;
  }

  /** Releases a host name. */
  async releaseHost(host: string): Promise<void> {
    await this.#remove("host", host);
  }

  #entry(kind: string, value: string): Row<"directory"> {
    return { kind, value, tenant_id: this.#tenantId, created_at: this.#installation.now() };
  }

  async #remove(kind: string, value: string): Promise<void> {
    await this.#installation.collections.directory.delete({ kind, value, tenant_id: this.#tenantId });
    this.#installation.cache.invalidate("", "directory");
  }
}
