import type { Route } from "../http/route.ts";
import { clientConnections } from "./client-connections.ts";
import { clientCredentials } from "./client-credentials.ts";
import { connectionClients } from "./connection-clients.ts";
import { clientGrants } from "./client-grants.ts";
import { clients } from "./clients.ts";
import { connections } from "./connections.ts";
import { customDomains } from "./custom-domains.ts";
import { grants } from "./grants.ts";
import { invitations } from "./invitations.ts";
import { logs } from "./logs.ts";
import { organizationConnections } from "./organization-connections.ts";
import { organizationMembers } from "./organization-members.ts";
import { organizations } from "./organizations.ts";
import { resourceServers } from "./resource-servers.ts";
import { attackProtection } from "./attack-protection.ts";
import { branding } from "./branding.ts";
import { refreshTokens } from "./refresh-tokens.ts";
import { sessions } from "./sessions.ts";
import { signingKeys } from "./signing-keys.ts";
import { tenantSettings } from "./tenant-settings.ts";
import { roles } from "./roles.ts";
import { identities } from "./identities.ts";
import { userBlocks } from "./user-blocks.ts";
import { userLogs } from "./user-logs.ts";
import { usersByEmail } from "./users-by-email.ts";
import { userAccess } from "./user-access.ts";
import { users } from "./users.ts";

/** Every route of the Management API. */
export const managementRoutes: readonly Route[] = [
  ...users,
  ...userAccess,
  ...identities,
  userLogs,
  usersByEmail,
  ...userBlocks,
  ...roles,
  ...organizations,
  ...organizationMembers,
  ...organizationConnections,
  ...invitations,
  ...clients,
  ...clientGrants,
  ...grants,
  ...connectionClients,
  ...clientCredentials,
  ...clientConnections,
  ...connections,
  ...resourceServers,
  ...tenantSettings,
  ...logs,
  ...signingKeys,
  ...sessions,
  ...refreshTokens,
  ...branding,
  ...customDomains,
  ...attackProtection,
];
