import { connectionSettings } from "../../model/connections/settings.ts";
import { thirdPartyClients } from "../../model/clients/external.ts";
import { tenantFlags } from "../../model/tenant/flags.ts";
import { tenantSettingDefinitions } from "../../model/tenant/settings.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { Installation } from "../../tenants/installation.ts";
import { warning, type Finding } from "../finding.ts";
import { readyTenants, type ReadyTenant } from "./ready-tenants.ts";

/** The number of findings. */
const limit = 20;

/** The number of tenants that are checked, each with up to three queries. */
const maximumTenants = 1000;

/** The number of connections that are read for each tenant. */
const maximumConnections = 1000;

/**
 * Returns a finding for each tenant on which clients can register themselves, but cannot sign users in or get scopes of
 * an API. Checks the first 1,000 tenants.
 */
export async function checkExternalClients(installation: Installation): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let tenants = 0;
  for await (const tenant of readyTenants(installation)) {
    if (findings.length >= limit || ++tenants > maximumTenants) break;
    const data = installation.scope(tenant.id);
    if (!(await takesExternalClients(tenant, data, installation.now()))) continue;
    const connections = await data.connections.find({ where: {}, limit: maximumConnections });
    const grants = await data.client_grants.find({ where: { client_id: thirdPartyClients }, fields: ["id"], limit: 1 });
    const subject = `clients can register themselves with the tenant '${tenant.id}'`;
    if (!connections.some((row) => connectionSettings(row).is_domain_connection)) {
      const cure = "set 'is_domain_connection' of a connection: docs/registration.md#allow-registration";
      findings.push(warning("client", `${subject}, but no connection has 'is_domain_connection', so they cannot sign users in`, cure));
    }
    if (grants.length === 0) {
      const cure = "create a client grant with default_for: 'third_party_clients': docs/registration.md#allow-registration";
      findings.push(warning("client", `${subject}, but no client grant is for them, so they get no scopes of an API`, cure));
    }
  }
  return findings.slice(0, limit);
}

/** Whether clients can register themselves by a metadata document, openly or with an initial access token. */
async function takesExternalClients(tenant: ReadyTenant, data: TenantData, now: number): Promise<boolean> {
  if (tenantSettingDefinitions(tenant).client_id_metadata_document_supported) return true;
  if (tenantFlags(tenant).enable_dynamic_client_registration === true) return true;
  const where = { expires_at: { gt: now }, uses_left: { gt: 0 } };
  return (await data.initial_access_tokens.find({ where, fields: ["id"], limit: 1 })).length > 0;
}
