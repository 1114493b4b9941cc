import { expectStatus, listOf, objectOf, textOf, type Answer } from "./answer.ts";
import { database, newPerson, newRefreshToken, shownAt } from "./people.ts";
import { publicKeyPem } from "./proof.ts";
import type { Party } from "./tenant-access.ts";
import { newConsent } from "./visit.ts";

/** A tenant with the records that it has so far. */
export interface Maker extends Party {
  /** The id of the tenant's record at a place: the path up to it, with `{}` for every parameter. */
  readonly record: (place: string) => Promise<string>;
}

const users = "/api/v2/users/{}";
const organizations = "/api/v2/organizations/{}";
const apis = "/api/v2/resource-servers/{}";
const template = "{%- auth0:head -%}{%- auth0:widget -%}";

const pathOf = async ({ record }: Maker, place: string): Promise<string> => place.replace("{}", encodeURIComponent(await record(place)));

async function done(answer: Promise<Answer>, status: number, what: string): Promise<void> {
  expectStatus(await answer, status, what);
}

/** Adds something to a record, and gives what stands for it in paths. */
async function added(maker: Maker, to: string, body: object, status: number, id: string): Promise<string> {
  await done(maker.manage("POST", to, body), status, `POST ${to}`);
  return id;
}

/**
 * How a record is made where posting the smallest body to the path above it does not do it.
 * A new resource needs a line here only then. What is given as undefined is posted after all.
 */
export const makers: { readonly [place: string]: (maker: Maker) => Promise<string | undefined> } = {
  [users]: async (maker) => (await newPerson(maker)).userId,
  "/api/v2/users/{}/identities/{}": async () => "auth0",
  "/api/v2/users/{}/identities/{}/{}": async (maker) => {
    const { userId } = await newPerson(maker);
    return added(maker, `${await pathOf(maker, users)}/identities`, { provider: "auth0", user_id: userId }, 201, userId);
  },
  "/api/v2/user-blocks/{}": ({ record }) => record(users),
  "/api/v2/organizations/name/{}": async (maker) => shownAt(maker, await pathOf(maker, organizations), "name"),
  "/api/v2/organizations/{}/members/{}": async (maker) => {
    const member = await maker.record(users);
    return added(maker, `${await pathOf(maker, organizations)}/members`, { members: [member] }, 204, member);
  },
  "/api/v2/organizations/{}/enabled_connections/{}": async (maker) => {
    const id = await maker.record("/api/v2/connections/{}");
    return added(maker, `${await pathOf(maker, organizations)}/enabled_connections`, { connection_id: id }, 201, id);
  },
  "/api/v2/organizations/{}/client-grants/{}": async (maker) => {
    const id = await maker.record("/api/v2/client-grants/{}");
    return added(maker, `${await pathOf(maker, organizations)}/client-grants`, { grant_id: id }, 201, id);
  },
  "/api/v2/organizations/{}/connections/{}": ({ record }) => record("/api/v2/organizations/{}/enabled_connections/{}"),
  [apis]: async ({ manage, newName }) => {
    const body = { identifier: `https://${newName()}.example.test/`, scopes: [{ value: "read:things" }] };
    return textOf(await manage.create("/api/v2/resource-servers", body), "id");
  },
  "/api/v2/sessions/{}/clients/{}": ({ record }) => record("/api/v2/clients/{}"),
  "/api/v2/logs/{}": async ({ manage, record }) => {
    await record(users);
    return textOf(listOf(await manage("GET", "/api/v2/logs?sort=date:-1"), "the log")[0] ?? {}, "log_id");
  },
  "/api/v2/log-streams/{}": async ({ manage }) => {
    const path = "/api/v2/log-streams";
    // A tenant has few.
    const streams = listOf(await manage("GET", path), "the log streams");
    if (streams.length > 5) for (const stream of streams) await manage("DELETE", `${path}/${textOf(stream, "id")}`);
    return textOf(await manage.create(path, { type: "http", sink: { httpEndpoint: "https://logs.example.test/" } }), "id");
  },
  "/api/v2/jobs/{}": async (maker) => {
    const { userId } = await newPerson(maker);
    return textOf(await maker.manage.create("/api/v2/jobs/verification-email", { user_id: userId }), "id");
  },
  "/tenants/{}": async ({ manage, newName }) => {
    const tenantId = newName();
    await manage.create("/tenants", { id: tenantId, name: tenantId });
    return tenantId;
  },
  "/operations/{}": async ({ manage, record }) => {
    const path = `/tenants/${await record("/tenants/{}")}/operations`;
    return textOf(listOf(await manage("GET", path), path, "operations")[0] ?? {}, "id");
  },
  // Nobody agrees to anything by the API.
  "/api/v2/grants/{}": newConsent,
  // A key that signs some day: what is done to it leaves the tokens of the run alone.
  "/api/v2/keys/signing/{}": async ({ manage }) => {
    const made = await manage("POST", "/api/v2/keys/signing/rotate", { activate_in_days: 365 });
    if (made.status !== 409) return textOf(objectOf(made, 201, "the rotation of a signing key"), "kid");
    // There are as many as there may be.
    const keys = listOf(await manage("GET", "/api/v2/keys/signing"), "the signing keys");
    return textOf(keys.find(({ next, inherited }) => next === true && inherited !== true) ?? {}, "kid");
  },
  // Names of the vendor's, which every tenant knows.
  "/api/v2/prompts/{}": async () => "login",
  "/api/v2/prompts/{}/custom-text/{}": async () => "en",
  "/api/v2/prompts/{}/screen/{}": async () => "login",
  "/api/v2/email-templates/{}": async ({ manage, mark }) => {
    const body = { template: "verify_email", body: mark, subject: null, from: null, syntax: "liquid", enabled: true };
    await manage("POST", "/api/v2/email-templates", body);
    return "verify_email";
  },
  "/api/v2/branding/themes/{}": async ({ manage }) => {
    const found = await manage("GET", "/api/v2/branding/themes/default");
    if (found.status === 200) await manage("DELETE", `/api/v2/branding/themes/${textOf(objectOf(found, 200, "the theme"), "themeId")}`);
    return undefined;
  },
  "/api/v2/sessions/{}": async (maker) => textOf(await newRefreshToken(maker), "session_id"),
  "/api/v2/refresh-tokens/{}": async (maker) => textOf(await newRefreshToken(maker), "id"),
  "/api/v2/refresh_tokens/{}": async (maker) => textOf(await newRefreshToken(maker), "id"),
};

/** How what a tenant has one of, or none, is made before it is asked for: by the operation that needs it. */
export const single: { readonly [title: string]: (maker: Maker) => Promise<void> } = {
  "GET /api/v2/emails/provider": newProvider,
  "PATCH /api/v2/emails/provider": newProvider,
  "GET /api/v2/branding/templates/universal-login": async ({ manage }) => {
    await manage("PUT", "/api/v2/branding/templates/universal-login", { template });
  },
  "GET /api/v2/branding/themes/default": async ({ record }) => void (await record("/api/v2/branding/themes/{}")),
};

async function newProvider({ manage }: Maker): Promise<void> {
  const credentials = { smtp_host: "mail.example.test", smtp_pass: "a-password" };
  await manage("POST", "/api/v2/emails/provider", { name: "smtp", credentials });
}

/** What bodies say at members of these names: something that nothing else has. */
export const newValues: { readonly [name: string]: (party: Party) => string } = {
  name: ({ newName }) => newName(),
  email: ({ newName }) => `${newName()}@example.test`,
  id: ({ newName }) => newName(),
  identifier: ({ newName }) => `https://${newName()}.example.test/`,
  domain: ({ newName }) => `${newName()}.example.test`,
};

const identifier = async (maker: Maker): Promise<string> => shownAt(maker, await pathOf(maker, apis), "identifier");
const email = async (maker: Maker): Promise<string> => shownAt(maker, await pathOf(maker, users), "email");

/** What bodies need at members of these names: records that are there, and words that mean something. */
export const fittingValues: { readonly [name: string]: (maker: Maker) => unknown } = {
  connection: () => database,
  strategy: () => "auth0",
  provider: () => "auth0",
  pem: publicKeyPem,
  client_id: ({ record }) => record("/api/v2/clients/{}"),
  connection_id: ({ record }) => record("/api/v2/connections/{}"),
  grant_id: ({ record }) => record("/api/v2/client-grants/{}"),
  roles: async ({ record }) => [await record("/api/v2/roles/{}")],
  users: async ({ record }) => [await record(users)],
  members: async ({ record }) => [await record("/api/v2/organizations/{}/members/{}")],
  user_id: async (maker) => (await newPerson(maker)).userId,
  audience: identifier,
  resource_server_identifier: identifier,
  permission_name: () => "read:things",
  template: () => template,
  prompt: () => "login",
  screen: () => "login",
  kind: () => "upgrade",
};

/** What bodies need besides what their schemas demand: one of several members. */
export const besides: { readonly [title: string]: (maker: Maker) => Promise<object> } = {
  "POST /api/v2/tickets/password-change": async (maker) => ({ user_id: (await newPerson(maker)).userId }),
};

/** What queries need at parameters of these names. */
export const fittingParameters: { readonly [name: string]: (maker: Maker) => Promise<string> } = { email, identifier: email };
