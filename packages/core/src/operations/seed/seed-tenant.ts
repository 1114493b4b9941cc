import { findOne } from "../../store/find-one.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { ownKeys } from "../../tokens/keys/rotation.ts";
import { currentKey } from "../../tokens/keys/succession.ts";
import { PosternError } from "../../errors.ts";
import { isDomainName } from "../../model/tenant/domain-name.ts";
import { checkTenantId } from "../../tenants/check-tenant-id.ts";
import { hasOwnHost } from "../../tenants/hosts.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { makeSigningKey } from "../../tenants/keys/make-signing-key.ts";
import { sharedPlaces, takePlace } from "../../tenants/keys/shared-issuer.ts";
import { requireNoClearing } from "../../tenants/lifecycle/second-clearing.ts";
import { defaultPasswordConnection } from "../../tenants/lifecycle/password-connection.ts";
import type { SeededClient } from "./seed-client.ts";
import { copyToTenant } from "../../tenants/sync/copy-to-tenant.ts";

/** The parts of a seed that set up the tenant and its clients. */
interface TenantSeed {
  readonly tenantId: string;
  readonly name?: string;
  readonly domains?: readonly string[];
  readonly clients?: readonly ClientSeed[];
}

/** A client that a seed defines. */
export interface ClientSeed {
  readonly clientId: string;
  readonly secret?: string;
  /** The settings, not parsed yet. */
  readonly settings: unknown;
  readonly managesTenant?: true;
  /** If true, the secret of an existing client is set to the secret in the seed. */
  readonly sync?: boolean;
}

/**
 * Sets up a tenant with its keys, domains and clients. Creates missing resources, and leaves existing resources
 * unchanged, with two exceptions. The client grant of a client that manages the tenant is restored. A client can be
 * used for administration again if it sends codes and tokens only to URLs, and only in ways, that the seed allows.
 * Copies the resources that the control plane shares. Can run at every start, also in several processes at once.
 * @returns the results for the clients, in the order of the seed.
 * @throws {PosternError} `configuration_error` that names the invalid tenant id, client settings, secret or domain.
 */
export async function seedTenant(installation: Installation, seed: TenantSeed): Promise<readonly SeededClient[]> {
  const { tenantId } = seed;
  const { controlPlaneTenantId } = installation;
  checkTenantId(tenantId);
  const data = installation.scope(tenantId);

  const known = await findTenant(installation, tenantId);
  if (known === undefined) await requireNoClearing(installation, tenantId);
  // A seed runs at every start, and usually finds its tenant.
  const firstRecords = known === undefined ? await import("../../tenants/lifecycle/first-records.ts") : undefined;
  await seedSigningKey(installation, data, seed, known?.record.organization_id ?? null);
  // Only for a new tenant, so that resources that an administrator deleted are not created again.
  await firstRecords?.insertSystemRecords(installation, data, defaultPasswordConnection);
  const seeded = await seedClients(installation, data, seed);
  // The tenant's row is inserted last, because the tenant serves requests as soon as the row exists.
  await firstRecords?.insertTenant(installation, seed, defaultPasswordConnection);
  if (controlPlaneTenantId !== undefined && tenantId !== controlPlaneTenantId) {
    await copyToTenant(installation, tenantId);
  }
  for (const domain of seed.domains ?? []) await seedDomain(installation, data, tenantId, domain.toLowerCase());
  return seeded;
}

async function seedClients(
  installation: Installation,
  data: TenantData,
  { tenantId, clients = [] }: TenantSeed,
): Promise<readonly SeededClient[]> {
  if (clients.length === 0) return [];
  const { seedClient } = await import("./seed-client.ts");
  const seeded: SeededClient[] = [];
  for (const client of clients) seeded.push(await seedClient(installation, data, tenantId, client));
  return seeded;
}

/**
 * Ensures that the tenant has a signing key: its own key, or the control plane's. A tenant-specific key is valid under
 * tenant-specific hosts, and under the configured issuer if one of the {@link sharedPlaces} is free.
 * @throws {PosternError} `configuration_error` if the key would not be valid under any issuer.
 */
async function seedSigningKey(
  installation: Installation,
  data: TenantData,
  { tenantId, domains = [] }: TenantSeed,
  organizationId: string | null,
): Promise<void> {
  const { controlPlaneTenantId } = installation;
  if (controlPlaneTenantId !== undefined) {
    if (controlPlaneTenantId !== tenantId) return;
  } else if (!(await takePlace(installation, tenantId)) && domains.length === 0) {
    if (!(await hasOwnHost(installation, { id: tenantId, data, organizationId }))) {
      throw new PosternError(
        "configuration_error",
        `'${tenantId}' would be tenant ${sharedPlaces + 1} with tenant-specific keys at the issuer '${installation.urls.issuer}': pass 'controlPlane', so that tenants share its keys, or add a custom domain`,
      );
    }
  }
  const now = installation.now();
  const keys = await ownKeys(data, "jwt_signing");
  if (currentKey(keys, "jwt_signing", now) !== undefined) return;
  await makeSigningKey(installation, tenantId, installation.config.signingAlgorithm);
}

/**
 * Creates a custom domain that counts as verified. @throws {PosternError} `configuration_error` for an invalid host
 * name, and for a host name that belongs to another tenant.
 */
async function seedDomain(installation: Installation, data: TenantData, tenantId: string, domain: string): Promise<void> {
  if (!isDomainName(domain)) throw new PosternError("configuration_error", `'${domain}' is not a host name`);
  if (installation.subdomains?.covers(domain) === true) {
    throw new PosternError(
      "configuration_error",
      `the domain '${domain}' belongs to 'subdomainRouting', which assigns its subdomains to tenants`,
    );
  }
  const now = installation.now();
  await installation.collections.directory.insert([{ kind: "host", value: domain, tenant_id: tenantId, created_at: now }]);
  const owner = await findOne(installation.collections.directory, { kind: "host", value: domain });
  if (owner?.tenant_id !== tenantId) throw new PosternError("configuration_error", `the domain '${domain}' belongs to another tenant`);
  installation.cache.invalidate("", "directory");
  const ready = { status: "ready", updated_at: now, verified_at: now, expires_at: null };
  const inserted = await data.custom_domains.insert([
    {
      id: installation.random.record("cd_"),
      domain,
      type: "self_managed_certs",
      is_default: false,
      verification: {},
      settings: {},
      revision: 0,
      created_at: now,
      ...ready,
    },
  ]);
  if (!inserted) await data.custom_domains.update({ domain, status: "pending_verification" }, { set: ready, add: { revision: 1 } });
}
