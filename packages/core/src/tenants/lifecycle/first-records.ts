import type { TenantData } from "../../store/tenant-data.ts";
import { fromCreateConnection } from "../../model/connections/connections.ts";
import { fromCreateResourceServer } from "../../model/apis/resource-servers.ts";
import { newTenantSettings } from "../../model/tenant/settings-bodies.ts";
import { managementSystemApi } from "../system-apis.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { requireNoClearing } from "./second-clearing.ts";

/**
 * The password policy of a new tenant's first connection. Requires a minimum length, but no mix of character types
 * (NIST SP 800-63B section 3.1.1.2). Connections that are created later start with Auth0's policy.
 */
const firstPolicy = { passwordPolicy: "low", password_complexity_options: { min_length: 8 } };

/** Creates the initial resources of every tenant: the Management API, and a password connection with this name. */
export async function insertSystemRecords(installation: Installation, data: TenantData, passwordConnection: string): Promise<void> {
  const now = installation.now();
  const { identifier, name } = managementSystemApi;
  const common = { revision: 0, created_at: now, updated_at: now, deleting_at: null };
  await data.resource_servers.insert([
    {
      ...fromCreateResourceServer({ identifier, name }, installation.config.signingAlgorithm),
      id: installation.random.record(),
      is_system: true,
      origin: null,
      ...common,
    },
  ]);
  const { record } = fromCreateConnection({ name: passwordConnection, strategy: "auth0", options: firstPolicy });
  await data.connections.insert([
    { ...record, id: installation.random.record("con_"), secrets: {}, seal: "", former_name: null, ...common },
  ]);
}

/** Inserts the tenant's row. */
export async function insertTenant(
  installation: Installation,
  { tenantId, name = tenantId }: { readonly tenantId: string; readonly name?: string | undefined },
  passwordConnection: string,
): Promise<void> {
  const { collections } = installation;
  const now = installation.now();
  const inserted = await collections.tenants.insert([
    {
      id: tenantId,
      name,
      friendly_name: name,
      settings: newTenantSettings({ default_directory: passwordConnection }),
      branding: {},
      attack_protection: {},
      multifactor: {},
      organization_id: null,
      member_access: {},
      ready_at: now,
      lease_until: 0,
      counted_until: now,
      revision: 0,
      created_at: now,
      updated_at: now,
      deleting_at: null,
    },
  ]);
  // Another process may have created the tenant concurrently. A deletion in progress must not delete the seeded data.
  if (!inserted) await requireNoClearing(installation, tenantId);
  forgetTenant(installation, tenantId);
}
