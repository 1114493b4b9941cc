import { createAdmin, type Admin } from "@postern/admin";
import { appSessions } from "@postern/app";
import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";

/** The id of the client with which users sign in to the admin console. */
export const consoleClientId = "postern-console";

/** Returns the URL of the admin console. */
export function consoleUrl(issuer: string): string {
  return `${issuer}admin/`;
}

/** Parameters of {@link createConsole}. */
interface ConsoleParts {
  readonly postern: Postern;
  readonly data: DataAdapter;
  readonly tenantId: string;
  /** A comma-separated list: the first secret encrypts sessions, and all decrypt them. */
  readonly secrets: string;
}

/**
 * Creates the admin console of the server. It requests every scope of the Management API, so that an administrator can
 * assign every role.
 */
export async function createConsole({ postern, data, tenantId, secrets }: ConsoleParts): Promise<Admin> {
  const api = await postern.tenant(tenantId, { name: consoleClientId }).resourceServers.get(`${postern.issuer}api/v2/`);
  return createAdmin({
    scopes: (api.scopes ?? []).map(({ value }) => value),
    postern,
    tenantId,
    clientId: consoleClientId,
    appUrl: consoleUrl(postern.issuer),
    secret: secrets.split(",").map((secret) => secret.trim()),
    store: appSessions(data),
    isControlPlane: true,
    findings: () => postern.doctor(),
  });
}
