import type { Route } from "../http/route.ts";
import { clientConnections } from "./clients/connections.ts";
import { clientCredentials } from "./clients/credentials.ts";
import { connectionClients } from "./connections/clients.ts";
import { clientGrants } from "./grants/client-grants.ts";
import { clients } from "./clients/clients.ts";
import { connections } from "./connections/connections.ts";
import { customDomains } from "./tenant/custom-domains.ts";
import { emailProvider } from "./tenant/email-provider.ts";
import { emailTemplates } from "./tenant/email-templates.ts";
import { emptyLists } from "./empty-lists.ts";
import { globalClient } from "./clients/global-client.ts";
import { grants } from "./grants/grants.ts";
import { invitations } from "./organizations/invitations.ts";
import { logStreams } from "./logs/log-streams.ts";
import { jobs } from "./jobs/jobs.ts";
import { logs } from "./logs/logs.ts";
import { organizationClientGrants } from "./organizations/client-grants.ts";
import { organizationConnections } from "./organizations/connections.ts";
import { organizationMembers } from "./organizations/members.ts";
import { organizations } from "./organizations/organizations.ts";
import { resourceServers } from "./apis/resource-servers.ts";
import { attackProtection } from "./tenant/attack-protection.ts";
import { breachedPasswords } from "./tenant/breached-passwords.ts";
import { branding } from "./branding/branding.ts";
import { themes } from "./branding/themes.ts";
import { pageTemplate } from "./branding/page-template.ts";
import { customText } from "./prompts/custom-text.ts";
import { partials } from "./prompts/partials.ts";
import { rendering } from "./prompts/rendering.ts";
import { promptSettings } from "./prompts/settings.ts";
import { refreshTokens } from "./sessions/refresh-tokens.ts";
import { sessions } from "./sessions/sessions.ts";
import { signingKeys } from "./keys/signing-keys.ts";
import { tenantSettings } from "./tenant/settings.ts";
import { tickets } from "./tickets/tickets.ts";
import { roles } from "./apis/roles.ts";
import { identities } from "./users/identities.ts";
import { userBlocks } from "./users/blocks.ts";
import { userLogs } from "./users/logs.ts";
import { usersByEmail } from "./users/users-by-email.ts";
import { userAccess } from "./users/access.ts";
import { users } from "./users/users.ts";

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
  ...organizationClientGrants,
  ...invitations,
  ...globalClient,
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
  ...themes,
  ...pageTemplate,
  ...promptSettings,
  ...customText,
  ...partials,
  ...rendering,
  ...customDomains,
  ...emailProvider,
  ...emailTemplates,
  ...attackProtection,
  ...tickets,
  ...jobs,
  ...logStreams,
  ...breachedPasswords,
  ...emptyLists,
];
