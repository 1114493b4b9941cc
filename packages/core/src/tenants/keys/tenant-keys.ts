import type { SigningAlgorithm } from "../../model/keys/algorithms.ts";
import type { StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import { currentKey, tokenKey } from "../../tokens/keys/succession.ts";
import { PosternError } from "../../errors.ts";
import { hasOwnHost } from "../hosts.ts";
import type { Installation } from "../installation.ts";
import type { RequestTenant } from "../tenant.ts";
import { makeSigningKey } from "./make-signing-key.ts";
import { keysOf, latestKeysOfAll, rereadKeys, sharedIssuerKeys } from "./read-keys.ts";
import { placedTenants, takePlace } from "./shared-issuer.ts";

/**
 * The keys that sign and verify a tenant's tokens: tenant-specific keys, and those that it shares with the control
 * plane.
 */
export class TenantKeys {
  readonly #installation: Installation;
  readonly #tenant: Pick<RequestTenant, "id" | "urls" | "data" | "record">;

  constructor(installation: Installation, tenant: Pick<RequestTenant, "id" | "urls" | "data" | "record">) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /** Returns all keys of the tenant, including those that it shares with the control plane. */
  async all(): Promise<readonly StoredSigningKey[]> {
    const own = await this.#own();
    const inherited = await this.inherited();
    return inherited.length === 0 ? own : [...own, ...inherited];
  }

  /**
   * Returns all keys of the tenant, as {@link all}. If none of them has the id, reads them again, at most once a second:
   * another process may have created the key.
   */
  async allWith(kid: string | undefined): Promise<readonly StoredSigningKey[]> {
    const known = await this.all();
    if (kid === undefined || known.some((key) => key.kid === kid)) return known;
    await Promise.all(this.#owners().map((tenantId) => rereadKeys(this.#installation, tenantId)));
    return this.all();
  }

  /** Returns the keys of the control plane that the tenant shares; none for the control plane itself. */
  async inherited(): Promise<readonly StoredSigningKey[]> {
    const { controlPlaneTenantId } = this.#installation;
    if (controlPlaneTenantId === undefined || controlPlaneTenantId === this.#tenant.id) return [];
    return keysOf(this.#installation, controlPlaneTenantId);
  }

  /**
   * Whether tenant-specific keys are valid under the issuer of this request. Keys of the control plane are valid
   * everywhere. Keys of another tenant are valid under its own hosts, and under the configured issuer if the tenant is
   * one of the {@link placedTenants}.
   */
  async ownKeysAreValid(): Promise<boolean> {
    const { urls, controlPlaneTenantId } = this.#installation;
    if (this.#tenant.id === controlPlaneTenantId || this.#tenant.urls.issuer !== urls.issuer) return true;
    return (await placedTenants(this.#installation)).includes(this.#tenant.id);
  }

  /**
   * Makes tenant-specific keys valid under the configured issuer, if one of its places for tenants is free. @returns
   * whether the keys are valid under any issuer: the configured issuer, or that of a tenant-specific host.
   */
  async makeOwnKeysValid(): Promise<boolean> {
    if (this.#tenant.id === this.#installation.controlPlaneTenantId) return true;
    if (await takePlace(this.#installation, this.#tenant.id)) return true;
    const { id, data, record, urls } = this.#tenant;
    return (
      urls.issuer !== this.#installation.urls.issuer || hasOwnHost(this.#installation, { id, data, organizationId: record.organization_id })
    );
  }

  /**
   * Returns the current signing key for an algorithm: a tenant-specific key if the tenant has keys that are valid under
   * the issuer of this request, else a key of the control plane. Creates a key if none exists for the algorithm.
   * @throws {PosternError} `invalid_request` if no key of the tenant is valid under the issuer of this request.
   */
  async signer(alg: SigningAlgorithm): Promise<StoredSigningKey> {
    const { controlPlaneTenantId } = this.#installation;
    const now = this.#installation.now();
    const own = await this.#own();
    const shares = controlPlaneTenantId !== undefined && controlPlaneTenantId !== this.#tenant.id;
    if (!shares || currentKey(own, "jwt_signing", now) !== undefined) {
      if (await this.ownKeysAreValid()) return tokenKey(own, alg, now) ?? makeSigningKey(this.#installation, this.#tenant.id, alg);
      if (!shares) throw new PosternError("invalid_request", "this tenant issues tokens only under its own host names");
    }
    return tokenKey(await this.inherited(), alg, now) ?? makeSigningKey(this.#installation, controlPlaneTenantId, alg);
  }

  /**
   * Returns all keys that are valid under the issuer of this request, read at most a second ago: the content of its JWKS.
   */
  async ofIssuer(): Promise<readonly StoredSigningKey[]> {
    const isShared = this.#tenant.urls.issuer === this.#installation.urls.issuer;
    return isShared ? sharedIssuerKeys(this.#installation) : latestKeysOfAll(this.#installation, this.#owners());
  }

  /** Returns the ids of the tenants whose keys sign and verify: the tenant, and the control plane if it is another one. */
  #owners(): readonly string[] {
    const { controlPlaneTenantId } = this.#installation;
    const { id } = this.#tenant;
    return controlPlaneTenantId === undefined || controlPlaneTenantId === id ? [id] : [id, controlPlaneTenantId];
  }

  #own(): Promise<readonly StoredSigningKey[]> {
    return keysOf(this.#installation, this.#tenant.id);
  }
}
