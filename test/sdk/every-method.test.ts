import { describe, expect, test } from "vitest";
import { stores } from "../protocol/stores.ts";
import { methodsOfSdk, servedRoutes } from "../support/sdk-methods.ts";
import { testSdk } from "../support/sdk.ts";

describe.each(stores)("Auth0's Node SDK on $name", ({ open }) => testSdk(open));

/** Methods of the SDK whose routes Postern does not serve, by SDK client. */
const notServed: { readonly [client: string]: string } = {
  "actions.versions": "list get deploy",
  "actions.executions": "get",
  "actions.modules.versions": "list create get",
  "actions.modules": "list create get delete update listActions rollback",
  "actions.triggers.bindings": "updateMany",
  "actions.triggers": "list",
  actions: "create get delete update deploy test",
  agents: "list create read delete update",
  "branding.phone.providers": "create get delete update test",
  "branding.phone.templates": "create get delete update reset test",
  connectionProfiles: "create listTemplates getTemplate get delete update",
  "connections.directoryProvisioning.synchronizations": "create",
  "connections.directoryProvisioning":
    "list get create delete update getDefaultMapping listSynchronizedGroups addSynchronizedGroupSelections set deleteSynchronizedGroupSelections",
  "connections.scimConfiguration.tokens": "get create delete",
  "connections.scimConfiguration": "list get create delete update getDefaultMapping",
  "connections.keys": "get create rotate",
  "connections.users": "deleteByEmail",
  connections: "checkStatus",
  customDomains: "getDefault setDefault",
  "eventStreams.deliveries": "list getHistory",
  "eventStreams.redeliveries": "create createById",
  eventStreams: "list create get delete update test",
  events: "subscribe",
  "flows.executions": "list get delete",
  "flows.vault.connections": "create get delete update",
  flows: "create get delete update",
  forms: "create get delete update",
  "groups.members": "get",
  "groups.roles": "list create delete",
  groups: "list get delete",
  "hooks.secrets": "get create delete update",
  hooks: "list create get delete update",
  networkAcls: "create get set delete update",
  "organizations.clients": "create delete get update",
  "organizations.discoveryDomains": "create getByName get delete update",
  "organizations.members.effectiveRoles.sources.groups": "list",
  "organizations.members.effectiveRoles": "list",
  "organizations.organizationTemplate": "get assignOrganizationTemplate unassignOrganizationTemplate",
  "organizations.groups.roles": "list create delete",
  "organizations.groups": "list",
  "organizations.roles.members": "list",
  "organizations.roles.groups": "list",
  rateLimitPolicies: "list create get delete update",
  "roles.groups": "get create delete",
  rules: "list create get delete update",
  rulesConfigs: "list set delete",
  "selfServiceProfiles.customText": "list set",
  "selfServiceProfiles.ssoTicket": "create revoke",
  selfServiceProfiles: "create get delete update",
  supplementalSignals: "get patch",
  tokenExchangeProfiles: "create get delete update",
  userAttributeProfiles: "create listTemplates getTemplate get delete update",
  "users.connectedAccounts": "list",
  "users.effectiveRoles.sources.groups": "list",
  "users.groups": "get",
  "users.riskAssessments": "clear",
  "anomaly.blocks": "checkIp unblockIp",
  "attackProtection.botDetection": "get update",
  "attackProtection.captcha": "get update",
  "attackProtection.phoneProviderProtection": "get patch",
  "experimentation.experiments": "advanceRamp",
  "keys.customSigning": "get set delete",
  "keys.encryption": "list create rekey get import delete createPublicWrappingKey",
  "keys.networkAcls": "list create get delete",
  "riskAssessments.settings.newDevice": "get update",
  "riskAssessments.settings": "get update",
  "verifiableCredentials.verification.templates": "list create get delete update",
};

/** Routes without a method of the SDK: Postern's own and older paths. */
const withoutMethod = [
  "GET /api/v2/clients/global",
  "PATCH /api/v2/clients/global",
  "GET /api/v2/clients/initial-access-tokens",
  "POST /api/v2/clients/initial-access-tokens",
  "DELETE /api/v2/clients/initial-access-tokens/:id",
  "GET /api/v2/clients/search",
  "POST /api/v2/clients/:id/pin",
  "PATCH /api/v2/clients/:id/connections",
  "POST /api/v2/connections/:id/test",
  "POST /api/v2/connections/:id/test/result",
  "GET /api/v2/tenants",
  "POST /api/v2/keys/signing/:kid/renew",
  "GET /api/v2/sessions",
  "GET /api/v2/sessions/:id/clients/:client_id",
  "GET /api/v2/logout-deliveries",
  "POST /api/v2/logout-deliveries/:id/retry",
  "GET /api/v2/refresh_tokens/:id",
  "PATCH /api/v2/refresh_tokens/:id",
  "DELETE /api/v2/refresh_tokens/:id",
  "POST /api/v2/branding/preview",
  "POST /api/v2/emails/provider/test",
  "GET /api/v2/guardian/factors/webauthn-roaming/settings",
  "PUT /api/v2/guardian/factors/webauthn-roaming/settings",
  "GET /api/v2/guardian/factors/webauthn-platform/settings",
  "PUT /api/v2/guardian/factors/webauthn-platform/settings",
];

test("every method of the SDK is served by a route or listed here as not served", async () => {
  const unserved = [...(await methodsOfSdk())].flatMap(([name, route]) => (route === undefined ? [name] : []));
  const listed = Object.entries(notServed).flatMap(([client, methods]) => methods.split(" ").map((method) => `${client}.${method}`));
  expect(unserved).toEqual(listed);
});

test("every route is called by a method of the SDK or listed here as without one", async () => {
  const called = new Set((await methodsOfSdk()).values());
  expect(servedRoutes.filter((route) => !called.has(route))).toEqual(withoutMethod);
});
