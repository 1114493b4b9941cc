import { expectStatus, jsonList, jsonObject, textMember, type HttpResponse } from "./response.ts";
import { database, createLogoutDelivery, createTestUser, createRefreshToken, readMember } from "./users.ts";
import { publicKeyPem } from "./client-assertion.ts";
import type { ConnectedTenant } from "./tenant-access.ts";
import { createConsentGrant } from "./browser-flows.ts";

/** A tenant, with access to its resources. */
export interface FactoryContext extends ConnectedTenant {
  /** Returns the id of a resource in the tenant. @param place the path up to the id, with `{}` for every parameter. */
  readonly record: (place: string) => Promise<string>;
}

const users = "/api/v2/users/{}";
const organizations = "/api/v2/organizations/{}";
const apis = "/api/v2/resource-servers/{}";
const template = "{%- auth0:head -%}{%- auth0:widget -%}";

const pathOf = async ({ record }: FactoryContext, place: string): Promise<string> =>
  place.replace("{}", encodeURIComponent(await record(place)));

async function sendAndExpect(response: Promise<HttpResponse>, status: number, what: string): Promise<void> {
  expectStatus(await response, status, what);
}

/**
 * Posts a body to a collection that belongs to a resource. @returns `id`, the value that paths use for the new item.
 */
async function addToRecord(context: FactoryContext, to: string, body: object, status: number, id: string): Promise<string> {
  await sendAndExpect(context.manage("POST", to, body), status, `POST ${to}`);
  return id;
}

/**
 * Creates the resources that cannot be created by posting the smallest body to the path above them. If a factory
 * returns `undefined`, the suite posts the smallest body instead.
 */
export const factories: { readonly [place: string]: (context: FactoryContext) => Promise<string | undefined> } = {
  [users]: async (context) => (await createTestUser(context)).userId,
  "/api/v2/users/{}/identities/{}": async () => "auth0",
  "/api/v2/users/{}/identities/{}/{}": async (context) => {
    const { userId } = await createTestUser(context);
    return addToRecord(context, `${await pathOf(context, users)}/identities`, { provider: "auth0", user_id: userId }, 201, userId);
  },
  "/api/v2/users/{}/authentication-methods/{}": addAuthenticationMethod,
  "/api/v2/guardian/enrollments/{}": addAuthenticationMethod,
  // Names that Auth0 defines for every tenant.
  "/api/v2/users/{}/multifactor/{}": async () => "google-authenticator",
  "/api/v2/actions/triggers/{}": async () => "post-login",
  "/api/v2/guardian/factors/{}": async () => "otp",
  "/api/v2/user-blocks/{}": ({ record }) => record(users),
  "/api/v2/organizations/name/{}": async (context) => readMember(context, await pathOf(context, organizations), "name"),
  "/api/v2/organizations/{}/members/{}": async (context) => {
    const member = await context.record(users);
    return addToRecord(context, `${await pathOf(context, organizations)}/members`, { members: [member] }, 204, member);
  },
  "/api/v2/organizations/{}/enabled_connections/{}": async (context) => {
    const id = await context.record("/api/v2/connections/{}");
    return addToRecord(context, `${await pathOf(context, organizations)}/enabled_connections`, { connection_id: id }, 201, id);
  },
  "/api/v2/organizations/{}/client-grants/{}": async (context) => {
    const id = await context.record("/api/v2/client-grants/{}");
    return addToRecord(context, `${await pathOf(context, organizations)}/client-grants`, { grant_id: id }, 201, id);
  },
  "/api/v2/organizations/{}/connections/{}": ({ record }) => record("/api/v2/organizations/{}/enabled_connections/{}"),
  [apis]: async ({ manage, newName }) => {
    const body = { identifier: `https://${newName()}.example.test/`, scopes: [{ value: "read:things" }] };
    return textMember(await manage.create("/api/v2/resource-servers", body), "id");
  },
  "/api/v2/sessions/{}/clients/{}": ({ record }) => record("/api/v2/clients/{}"),
  "/api/v2/logs/{}": async ({ manage, record }) => {
    await record(users);
    return textMember(jsonList(await manage("GET", "/api/v2/logs?sort=date:-1"), "the log")[0] ?? {}, "log_id");
  },
  "/api/v2/log-streams/{}": async ({ manage }) => {
    const path = "/api/v2/log-streams";
    // The number of log streams of a tenant is limited.
    const streams = jsonList(await manage("GET", path), "the log streams");
    if (streams.length > 5) for (const stream of streams) await manage("DELETE", `${path}/${textMember(stream, "id")}`);
    return textMember(await manage.create(path, { type: "http", sink: { httpEndpoint: "https://logs.example.test/" } }), "id");
  },
  "/api/v2/jobs/{}": async (context) => {
    const { userId } = await createTestUser(context);
    return textMember(await context.manage.create("/api/v2/jobs/verification-email", { user_id: userId }), "id");
  },
  "/tenants/{}": async ({ manage, newName }) => {
    const tenantId = newName();
    await manage.create("/tenants", { id: tenantId, name: tenantId });
    return tenantId;
  },
  "/operations/{}": async ({ manage, record }) => {
    const path = `/tenants/${await record("/tenants/{}")}/operations`;
    return textMember(jsonList(await manage("GET", path), path, "operations")[0] ?? {}, "id");
  },
  // The Management API cannot create a consent.
  "/api/v2/grants/{}": createConsentGrant,
  // The key starts to sign in a year, so that changes to the key do not affect the tokens in this run.
  "/api/v2/keys/signing/{}": async ({ manage }) => {
    const rotate = () => manage("POST", "/api/v2/keys/signing/rotate", { activate_in_days: 365 });
    let made = await rotate();
    if (made.status === 409) {
      // The maximum number of keys exists already.
      const keys = jsonList(await manage("GET", "/api/v2/keys/signing"), "the signing keys");
      const kid = textMember(keys.find(({ next, inherited }) => next === true && inherited !== true) ?? {}, "kid");
      await manage("PUT", `/api/v2/keys/signing/${kid}/revoke`);
      made = await rotate();
    }
    return textMember(jsonObject(made, 201, "the rotation of a signing key"), "kid");
  },
  // Names that Auth0 defines for every tenant.
  "/api/v2/prompts/{}": async () => "login",
  "/api/v2/prompts/{}/custom-text/{}": async () => "en",
  "/api/v2/prompts/{}/screen/{}": async () => "login",
  "/api/v2/email-templates/{}": async ({ manage, mark }) => {
    const body = { template: "verify_email", body: mark, subject: null, from: null, syntax: "liquid", enabled: true };
    await manage("POST", "/api/v2/email-templates", body);
    return "verify_email";
  },
  "/api/v2/branding/themes/{}": async ({ manage }) => {
    const theme = await manage("GET", "/api/v2/branding/themes/default");
    if (theme.status === 200)
      await manage("DELETE", `/api/v2/branding/themes/${textMember(jsonObject(theme, 200, "the theme"), "themeId")}`);
    return undefined;
  },
  "/api/v2/sessions/{}": async (context) => textMember(await createRefreshToken(context), "session_id"),
  "/api/v2/logout-deliveries/{}": createLogoutDelivery,
  "/api/v2/refresh-tokens/{}": async (context) => textMember(await createRefreshToken(context), "id"),
  "/api/v2/refresh_tokens/{}": async (context) => textMember(await createRefreshToken(context), "id"),
  "/api/v2/device-credentials/{}": async (context) => textMember(await createRefreshToken(context), "id"),
};

/** Adds an email address as a factor to the user of the run. @returns the id of the factor. */
async function addAuthenticationMethod(context: FactoryContext): Promise<string> {
  const path = `${await pathOf(context, users)}/authentication-methods`;
  return textMember(await context.manage.create(path, { type: "email", email: `${context.newName()}@example.test` }), "id");
}

/**
 * The functions that create the singletons of a tenant, by the operation that needs them. Each runs before its
 * operation.
 */
export const singletons: { readonly [title: string]: (context: FactoryContext) => Promise<void> } = {
  "GET /api/v2/emails/provider": createEmailProvider,
  "PATCH /api/v2/emails/provider": createEmailProvider,
  // Only a user with a factor can have a recovery code.
  "POST /api/v2/users/{id}/recovery-code-regeneration": async (context) => void (await addAuthenticationMethod(context)),
  "GET /api/v2/branding/templates/universal-login": async ({ manage }) => {
    await manage("PUT", "/api/v2/branding/templates/universal-login", { template });
  },
  "GET /api/v2/branding/themes/default": async ({ record }) => void (await record("/api/v2/branding/themes/{}")),
};

async function createEmailProvider({ manage }: FactoryContext): Promise<void> {
  const credentials = { smtp_host: "mail.example.test", smtp_pass: "a-password" };
  await manage("POST", "/api/v2/emails/provider", { name: "smtp", credentials });
}

/** The functions that return a unique value for a body member, by the name of the member. */
export const uniqueValues: { readonly [name: string]: (tenant: ConnectedTenant) => string } = {
  name: ({ newName }) => newName(),
  email: ({ newName }) => `${newName()}@example.test`,
  phone_number: () => `+1555${5_000_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 5_000_000)}`,
  id: ({ newName }) => newName(),
  identifier: ({ newName }) => `https://${newName()}.example.test/`,
  domain: ({ newName }) => `${newName()}.example.test`,
};

const identifier = async (context: FactoryContext): Promise<string> => readMember(context, await pathOf(context, apis), "identifier");
const email = async (context: FactoryContext): Promise<string> => readMember(context, await pathOf(context, users), "email");

/**
 * The functions that return a valid value for a body member, such as the id of an existing resource or a supported
 * keyword, by the name of the member.
 */
export const validValues: { readonly [name: string]: (context: FactoryContext) => unknown } = {
  connection: () => database,
  strategy: () => "auth0",
  provider: () => "auth0",
  pem: publicKeyPem,
  client_id: ({ record }) => record("/api/v2/clients/{}"),
  external_client_id: ({ newName }) => `https://${newName()}.example.test/client.json`,
  connection_id: ({ record }) => record("/api/v2/connections/{}"),
  grant_id: ({ record }) => record("/api/v2/client-grants/{}"),
  roles: async ({ record }) => [await record("/api/v2/roles/{}")],
  users: async ({ record }) => [await record(users)],
  members: async ({ record }) => [await record("/api/v2/organizations/{}/members/{}")],
  user_id: async (context) => (await createTestUser(context)).userId,
  audience: identifier,
  resource_server_identifier: identifier,
  permission_name: () => "read:things",
  template: () => template,
  prompt: () => "login",
  screen: () => "login",
  kind: () => "upgrade",
  device_id: () => "0a1b2c",
};

/**
 * Body members that an operation requires although its schema does not list them as required, because one of several
 * alternatives is sufficient.
 */
export const extraMembers: { readonly [title: string]: (context: FactoryContext) => Promise<object> } = {
  "POST /api/v2/tickets/password-change": async (context) => ({ user_id: (await createTestUser(context)).userId }),
};

/** The functions that return a valid value for a query parameter, by the name of the parameter. */
export const validParameters: { readonly [name: string]: (context: FactoryContext) => Promise<string> } = {
  email,
  identifier: email,
  user_id: async (context) => (await createTestUser(context)).userId,
};
