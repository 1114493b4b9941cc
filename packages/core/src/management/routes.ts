import type { Route } from "../http/route.ts";
import { clientConnections } from "./clients/connections.ts";
import { clientCredentialRoutes } from "./clients/credentials.ts";
import { connectionClients } from "./connections/clients.ts";
import { initialAccessTokenRoutes } from "./clients/initial-access-tokens.ts";
import { clientGrantRoutes } from "./grants/client-grants.ts";
import { clientRoutes } from "./clients/clients.ts";
import { clientSearchRoute } from "./clients/search.ts";
import { pinClient } from "./clients/pin.ts";
import { metadataDocumentRoutes } from "./clients/metadata-documents.ts";
import { connectionTestRoutes } from "./connections/test.ts";
import { connectionRoutes } from "./connections/connections.ts";
import { customDomainRoutes } from "./tenant/custom-domains.ts";
import { emailProvider } from "./tenant/email-provider.ts";
import { emailTest } from "./tenant/email-test.ts";
import { emailTemplateRoutes } from "./tenant/email-templates.ts";
import { emptyLists } from "./empty-lists.ts";
import { globalClient } from "./clients/global-client.ts";
import { enrollmentTickets } from "./guardian/enrollment-tickets.ts";
import { guardianDuo } from "./guardian/duo.ts";
import { guardianFactors } from "./guardian/factors.ts";
import { guardianPhone } from "./guardian/phone.ts";
import { guardianPushNotification } from "./guardian/push-notification.ts";
import { guardianSettings } from "./guardian/settings.ts";
import { guardianWebauthn } from "./guardian/webauthn.ts";
import { grantRoutes } from "./grants/grants.ts";
import { invitationRoutes } from "./organizations/invitations.ts";
import { logStreamRoutes } from "./logs/log-streams.ts";
import { jobRoutes } from "./jobs/jobs.ts";
import { logRoutes } from "./logs/logs.ts";
import { organizationClientGrantRoutes } from "./organizations/client-grants.ts";
import { organizationConnectionRoutes } from "./organizations/connections.ts";
import { organizationMemberRoutes } from "./organizations/members.ts";
import { organizationRoutes } from "./organizations/organizations.ts";
import { organizationSearchRoute } from "./organizations/search.ts";
import { resourceServerRoutes } from "./apis/resource-servers.ts";
import { resourceServerSearchRoute } from "./apis/search.ts";
import { attackProtectionRoutes } from "./tenant/attack-protection.ts";
import { breachedPasswords } from "./tenant/breached-passwords.ts";
import { branding } from "./branding/branding.ts";
import { brandingPreview } from "./branding/preview.ts";
import { themes } from "./branding/themes.ts";
import { pageTemplate } from "./branding/page-template.ts";
import { customText } from "./prompts/custom-text.ts";
import { partials } from "./prompts/partials.ts";
import { rendering } from "./prompts/rendering.ts";
import { promptSettings } from "./prompts/settings.ts";
import { deviceCredentialRoutes } from "./sessions/device-credentials.ts";
import { logoutDeliveryRoutes } from "./sessions/logout-deliveries.ts";
import { refreshTokenRoutes } from "./sessions/refresh-tokens.ts";
import { selectedRefreshTokenRoutes } from "./sessions/selected-refresh-tokens.ts";
import { sessionRoutes } from "./sessions/sessions.ts";
import { signingKeyRoutes } from "./keys/signing-keys.ts";
import { statsRoutes } from "./stats/stats.ts";
import { tenantSettingsRoutes } from "./tenant/settings.ts";
import { ticketRoutes } from "./tickets/tickets.ts";
import { roleRoutes } from "./apis/roles.ts";
import { identities } from "./users/identities.ts";
import { userAuthenticationMethods } from "./users/authentication-methods.ts";
import { userEnrollments } from "./users/enrollments.ts";
import { userBlocks } from "./users/blocks.ts";
import { userLogs } from "./users/logs.ts";
import { usersByEmail } from "./users/users-by-email.ts";
import { effectiveAccess } from "./users/effective-access.ts";
import { userAccess } from "./users/access.ts";
import { revokeAccessRoutes } from "./users/revoke-access.ts";
import { userRoutes } from "./users/users.ts";

/** Every route of the Management API. */
export const managementRoutes: readonly Route[] = [
  ...userRoutes,
  ...userAccess,
  ...effectiveAccess,
  ...identities,
  userLogs,
  usersByEmail,
  ...userBlocks,
  ...userAuthenticationMethods,
  ...userEnrollments,
  ...roleRoutes,
  ...organizationRoutes,
  organizationSearchRoute,
  ...organizationMemberRoutes,
  ...organizationConnectionRoutes,
  ...organizationClientGrantRoutes,
  ...invitationRoutes,
  ...globalClient,
  ...metadataDocumentRoutes,
  ...initialAccessTokenRoutes,
  ...clientRoutes,
  clientSearchRoute,
  pinClient,
  ...clientGrantRoutes,
  ...grantRoutes,
  ...connectionClients,
  ...clientCredentialRoutes,
  ...clientConnections,
  ...connectionRoutes,
  ...connectionTestRoutes,
  ...resourceServerRoutes,
  resourceServerSearchRoute,
  ...tenantSettingsRoutes,
  ...logRoutes,
  ...statsRoutes,
  ...signingKeyRoutes,
  ...sessionRoutes,
  ...logoutDeliveryRoutes,
  ...revokeAccessRoutes,
  ...selectedRefreshTokenRoutes,
  ...refreshTokenRoutes,
  ...deviceCredentialRoutes,
  ...branding,
  brandingPreview,
  ...themes,
  ...pageTemplate,
  ...promptSettings,
  ...customText,
  ...partials,
  ...rendering,
  ...customDomainRoutes,
  ...emailProvider,
  emailTest,
  ...emailTemplateRoutes,
  ...attackProtectionRoutes,
  ...guardianFactors,
  ...enrollmentTickets,
  ...guardianSettings,
  ...guardianPhone,
  ...guardianPushNotification,
  ...guardianDuo,
  ...guardianWebauthn,
  ...ticketRoutes,
  ...jobRoutes,
  ...logStreamRoutes,
  ...breachedPasswords,
  ...emptyLists,
];
