import type { SigningAlgorithm } from "../../model/keys/algorithms.ts";
import type { SigningKey } from "../../tokens/keys/signing-keys.ts";
import { currentKey, tokenKey } from "../../tokens/keys/succession.ts";
import { PosternError } from "../../errors.ts";
import { hasOwnHost } from "../hosts.ts";
import type { Installation } from "../installation.ts";
import type { Tenant } from "../tenant.ts";
import { makeSigningKey } from "./make-signing-key.ts";
import { keysOf, sharedIssuerKeys } from "./read-keys.ts";
import { placedTenants, takePlace } from "./shared-issuer.ts";

/** What signs a tenant's tokens, and what checks them: its own keys, and those of the control plane that it shares. */
export class TenantKeys {
  readonly #installation: Installation;
  readonly #tenant: Pick<Tenant, "id" | "urls" | "data" | "record">;

  constructor(installation: Installation, tenant: Pick<Tenant, "id" | "urls" | "data" | "record">) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /** Every key of the tenant, and those it shares with the control plane. */
  async all(): Promise<readonly SigningKey[]> {
    const own = await this.#own();
    const inherited = await this.inherited();
    return inherited.length === 0 ? own : [...own, ...inherited];
  }

  /** The keys of the control plane that the tenant shares; none for the control plane itself. */
  async inherited(): Promise<readonly SigningKey[]> {
    const { controlPlaneTenantId } = this.#installation;
    if (controlPlaneTenantId === undefined || controlPlaneTenantId === this.#tenant.id) return [];
    return keysOf(this.#installation, controlPlaneTenantId);
  }

  /**
   * Whether keys of the tenant's own count under the issuer of this request: those of the control plane everywhere, those of another tenant under its own hosts,
   * and under the configured issuer where it has a place there.
   */
  async ownCount(): Promise<boolean> {
    const { urls, controlPlaneTenantId } = this.#installation;
    if (this.#tenant.id === controlPlaneTenantId || this.#tenant.urls.issuer !== urls.issuer) return true;
    return (await placedTenants(this.#installation)).includes(this.#tenant.id);
  }

  /** Makes keys of the tenant's own count at the configured issuer, where a place is left there. @returns whether they count anywhere: there, or under a host of its own. */
  async makeOwnCount(): Promise<boolean> {
    if (this.#tenant.id === this.#installation.controlPlaneTenantId) return true;
    if (await takePlace(this.#installation, this.#tenant.id)) return true;
    const { id, data, record, urls } = this.#tenant;
    return (
      urls.issuer !== this.#installation.urls.issuer || hasOwnHost(this.#installation, { id, data, organizationId: record.organization_id })
    );
  }

  /**
   * The key that signs tokens by an algorithm now: the tenant's own where it has keys that count here, else the control plane's. Whoever is set to an algorithm gets that one and no
   * other: where there is no key of it, one is made.
   * @throws {PosternError} `invalid_request` where no key counts here for the tenant.
   */
  async signer(alg: SigningAlgorithm): Promise<SigningKey> {
    const { controlPlaneTenantId } = this.#installation;
    const now = this.#installation.now();
    const own = await this.#own();
    const shares = controlPlaneTenantId !== undefined && controlPlaneTenantId !== this.#tenant.id;
    if (!shares || currentKey(own, "jwt_signing", now) !== undefined) {
      if (await this.ownCount()) return tokenKey(own, alg, now) ?? makeSigningKey(this.#installation, this.#tenant.id, alg);
      if (!shares) throw new PosternError("invalid_request", "this tenant issues tokens at its own host names alone");
    }
    return tokenKey(await this.inherited(), alg, now) ?? makeSigningKey(this.#installation, controlPlaneTenantId, alg);
  }

  /** Every key that counts under the issuer of this request: what its JWKS lists. */
  async ofIssuer(): Promise<readonly SigningKey[]> {
    const isShared = this.#tenant.urls.issuer === this.#installation.urls.issuer;
    return isShared ? sharedIssuerKeys(this.#installation) : this.all();
  }

  #own(): Promise<readonly SigningKey[]> {
    return keysOf(this.#installation, this.#tenant.id);
  }
}
