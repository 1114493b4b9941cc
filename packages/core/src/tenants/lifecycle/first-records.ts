import type { TenantData } from "../../store/tenant-data.ts";
import { fromCreateConnection } from "../../model/connections/connections.ts";
import { fromCreateResourceServer } from "../../model/apis/resource-servers.ts";
import { newTenantSettings } from "../../model/tenant/settings-bodies.ts";
import { managementIdentifier } from "../audience.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { requireNoClearing } from "./second-clearing.ts";

/** Length and nothing about kinds of characters (NIST SP 800-63B section 3.1.1.2). Connections that are created later begin with the vendor's own policy. */
const firstPolicy = { passwordPolicy: "low", password_complexity_options: { min_length: 8 } };

/** What every tenant begins with: the Management API, and a password connection by this name. */
export async function insertSystemRecords(installation: Installation, data: TenantData, passwordConnection: string): Promise<void> {
  const now = installation.now();
  const common = { revision: 0, created_at: now, updated_at: now, deleting_at: null };
  await data.resource_servers.insert([
    {
      // By this name the vendor's command line knows it, and leaves it out of what it exports.
      ...fromCreateResourceServer({ identifier: managementIdentifier, name: "Auth0 Management API" }, installation.config.signingAlgorithm),
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

/** The tenant's own record. */
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
      organization_id: null,
      member_access: {},
      ready_at: now,
      lease_until: 0,
      revision: 0,
      created_at: now,
      updated_at: now,
      deleting_at: null,
    },
  ]);
  // Another process may have created the tenant meanwhile; a deletion that is under way must not end what was just seeded.
  if (!inserted) await requireNoClearing(installation, tenantId);
  forgetTenant(installation, tenantId);
}
