import type { SigningAlgorithm } from "../domain/keys/algorithms.ts";
import type { SigningKey } from "../domain/keys/signing-keys.ts";
import { currentKey, tokenKey } from "../domain/keys/succession.ts";
import type { Installation } from "./installation.ts";
import { makeSigningKey } from "./make-signing-key.ts";
import { keysOf, sharedIssuerKeys } from "./read-keys.ts";
import type { Tenant } from "./tenant.ts";

/** What signs a tenant's tokens, and what checks them: its own keys, and those of the control plane that it shares. */
export class TenantKeys {
  readonly #installation: Installation;
  readonly #tenant: Pick<Tenant, "id" | "urls">;

  constructor(installation: Installation, tenant: Pick<Tenant, "id" | "urls">) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /** Every key of the tenant, and those it shares with the control plane. */
  async all(): Promise<readonly SigningKey[]> {
    const own = await keysOf(this.#installation, this.#tenant.id);
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
   * The key that signs tokens by an algorithm now: the tenant's own where it has keys, else the control plane's. Whoever is set to an algorithm gets that one and no
   * other: where there is no key of it, one is made.
   */
  async signer(alg: SigningAlgorithm): Promise<SigningKey> {
    const { environment, controlPlaneTenantId = this.#tenant.id } = this.#installation;
    const now = environment.clock.now();
    const own = await keysOf(this.#installation, this.#tenant.id);
    const ownerId = currentKey(own, "jwt_signing", now) === undefined ? controlPlaneTenantId : this.#tenant.id;
    const keys = ownerId === this.#tenant.id ? own : await this.inherited();
    return tokenKey(keys, alg, now) ?? makeSigningKey(this.#installation, ownerId, alg);
  }

  /** Every key of every tenant that shares the issuer of this request: what its JWKS lists. */
  async ofIssuer(): Promise<readonly SigningKey[]> {
    const isShared = this.#tenant.urls.issuer === this.#installation.urls.issuer;
    const shared = isShared ? await sharedIssuerKeys(this.#installation) : await keysOf(this.#installation, this.#tenant.id);
    return [...shared, ...(await this.inherited()).filter((key) => !shared.some(({ kid }) => kid === key.kid))];
  }
}
