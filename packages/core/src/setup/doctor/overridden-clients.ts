import { isOverridden } from "../../model/clients/refresh-token-settings.ts";
import { storedRefreshToken } from "../../model/clients/settings.ts";
import type { Installation } from "../../tenants/installation.ts";
import { ok, warning, type Finding } from "../finding.ts";
import { readyTenants } from "./ready-tenants.ts";

/** The number of clients that findings name. */
const limit = 20;

/** The number of tenants whose clients are read, each with one query. */
const maximumTenants = 1000;

/** The number of public clients that are read for each tenant. */
const maximumClients = 1000;

/**
 * Returns a finding for each public client whose stored refresh token settings have no effect, because the refresh
 * tokens of a public client rotate and expire. Reads the public clients of the first 1,000 tenants.
 */
export async function checkOverriddenClients(installation: Installation): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let tenants = 0;
  for await (const { id: tenantId } of readyTenants(installation)) {
    if (findings.length >= limit || ++tenants > maximumTenants) break;
    const clients = await installation.scope(tenantId).clients.find({
      where: { token_endpoint_auth_method: "none" },
      orderBy: { fields: ["client_id"], direction: "asc" },
      limit: maximumClients,
      fields: ["client_id", "token_endpoint_auth_method", "app_type", "settings"],
    });
    const overridden = clients.filter((client) => isOverridden(client, storedRefreshToken(client)));
    findings.push(...overridden.map((client) => toFinding(tenantId, client.client_id)));
  }
  if (findings.length === 0) return [ok("client", "the stored settings of refresh tokens have an effect")];
  return findings.slice(0, limit);
}

function toFinding(tenantId: string, clientId: string): Finding {
  return warning(
    "client",
    `the refresh tokens of the client '${clientId}' of the tenant '${tenantId}' rotate and expire, although its 'refresh_token' says otherwise, because the client is public`,
    "store { rotation_type: 'rotating', expiration_type: 'expiring' }, or give the client a secret if it can keep one",
  );
}
