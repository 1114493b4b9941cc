import { exportSPKI, generateKeyPair } from "jose";
import { expect } from "vitest";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";
import { list, object, text, type Json, type Manager } from "../support/api.ts";
import type { Answer, TestPostern } from "../support/postern.ts";
import { insertConsent } from "../support/rows.ts";
import { neededNames, sampleOf, type Known } from "./bodies.ts";
import { descriptions, type Operation, type Schema } from "./document.ts";
import type { Sent } from "./service.ts";

/** The records of a tenant that paths and bodies name. Each is made when it is first asked for. */
export interface Records {
  /** What stands for a path parameter. @param place the path up to it, with `{}` for every parameter. */
  id(place: string): Promise<string>;
  /** A path with its parameters filled in. @param others values of parameters, percent-encoded, that stand in for the records. */
  fill(path: string, others?: { readonly [name: string]: string }): Promise<string>;
  /** What bodies of a schema say at members where the schema leaves it open. */
  known(schema: Schema): Promise<Known>;
  /** The smallest request that an operation takes. */
  request(operation: Operation): Promise<Sent>;
}

/** The tenant whose records are made, and how. */
export interface Owner {
  readonly service: TestPostern;
  readonly manage: Manager;
  readonly tenantId: string;
}

interface Maker extends Owner {
  readonly id: (place: string) => Promise<string>;
}

const connection = "Username-Password-Authentication";
const password = "correct horse battery";
const users = "/api/v2/users/{}";
const organizations = "/api/v2/organizations/{}";
const clients = "/api/v2/clients/{}";
const connections = "/api/v2/connections/{}";
const apis = "/api/v2/resource-servers/{}";

const publicKey = await exportSPKI((await generateKeyPair("RS256", { extractable: true })).publicKey);

let serial = 0;

/** Text that is in the records of one tenant alone. */
export function markOf(tenantId: string): string {
  return `only-in-${tenantId}`;
}

/** A name that nothing has yet. */
function newName({ tenantId }: Owner): string {
  return `${markOf(tenantId)}-${++serial}`;
}

/**
 * How a record is made where posting the smallest body to the path above it does not do it.
 * A new resource needs a line here only then.
 */
const makers: { readonly [place: string]: (maker: Maker) => Promise<string> } = {
  [users]: async (maker) => (await newUser(maker)).userId,
  "/api/v2/users/{}/identities/{}": async () => "auth0",
  "/api/v2/users/{}/identities/{}/{}": async (maker) => {
    const { userId } = await newUser(maker);
    const path = `/api/v2/users/${encodeURIComponent(await maker.id(users))}/identities`;
    await done(maker.manage("POST", path, { provider: "auth0", user_id: userId }), 201);
    return userId;
  },
  "/api/v2/user-blocks/{}": ({ id }) => id(users),
  "/api/v2/organizations/name/{}": async ({ manage, id }) =>
    text(object(await manage("GET", `/api/v2/organizations/${await id(organizations)}`)), "name"),
  "/api/v2/organizations/{}/members/{}": async ({ manage, id }) => {
    const member = await id(users);
    await done(manage("POST", `/api/v2/organizations/${await id(organizations)}/members`, { members: [member] }), 204);
    return member;
  },
  "/api/v2/organizations/{}/enabled_connections/{}": async ({ manage, id }) => {
    const connectionId = await id(connections);
    const path = `/api/v2/organizations/${await id(organizations)}/enabled_connections`;
    await done(manage("POST", path, { connection_id: connectionId }), 201);
    return connectionId;
  },
  "/api/v2/organizations/{}/client-grants/{}": async ({ manage, id }) => {
    const grant_id = await id("/api/v2/client-grants/{}");
    await done(manage("POST", `/api/v2/organizations/${await id(organizations)}/client-grants`, { grant_id }), 201);
    return grant_id;
  },
  "/api/v2/organizations/{}/connections/{}": ({ id }) => id("/api/v2/organizations/{}/enabled_connections/{}"),
  [apis]: async (maker) => {
    const body = { identifier: `https://${newName(maker)}.example.test/`, scopes: [{ value: "read:things" }] };
    return text(await maker.manage.create("/api/v2/resource-servers", body), "id");
  },
  "/api/v2/logs/{}": async ({ manage, id }) => {
    await id(users);
    return text(list(await manage("GET", "/api/v2/logs?sort=date:-1"))[0] ?? {}, "log_id");
  },
  "/api/v2/jobs/{}": async (maker) => {
    const { userId } = await newUser(maker);
    return text(await maker.manage.create("/api/v2/jobs/verification-email", { user_id: userId }), "id");
  },
  "/tenants/{}": async (maker) => {
    const tenantId = newName(maker);
    await maker.manage.create("/tenants", { id: tenantId, name: tenantId });
    return tenantId;
  },
  "/operations/{}": async ({ manage, id }) =>
    text(list(await manage("GET", `/tenants/${await id("/tenants/{}")}/operations`), "operations")[0] ?? {}, "id"),
  // Nobody agrees to anything by the API.
  "/api/v2/grants/{}": async (maker) => {
    const { service, tenantId, id } = maker;
    const scope = [markOf(tenantId)];
    return insertConsent(service, tenantId, { userId: await id(users), clientId: await id(clients), audience: newName(maker), scope });
  },
  // A key that signs some day: what is done to it leaves the tokens of the run alone.
  "/api/v2/keys/signing/{}": async ({ manage }) =>
    text(object(await manage("POST", "/api/v2/keys/signing/rotate", { activate_in_days: 365 }), 201), "kid"),
  // Names of the vendor's, which every tenant knows.
  "/api/v2/prompts/{}": async () => "login",
  "/api/v2/prompts/{}/custom-text/{}": async () => "en",
  "/api/v2/prompts/{}/screen/{}": async () => "login",
  "/api/v2/email-templates/{}": async ({ manage, tenantId }) => {
    const body = { template: "verify_email", body: markOf(tenantId), subject: null, from: null, syntax: "liquid", enabled: true };
    await manage("POST", "/api/v2/email-templates", body);
    return "verify_email";
  },
  "/api/v2/branding/themes/{}": async ({ manage }) => {
    const found = await manage("GET", "/api/v2/branding/themes/default");
    return text(object(found.status === 200 ? found : await manage("POST", "/api/v2/branding/themes", theme)), "themeId");
  },
  "/api/v2/sessions/{}": async (maker) => text(await newRefreshToken(maker), "session_id"),
  "/api/v2/refresh-tokens/{}": async (maker) => text(await newRefreshToken(maker), "id"),
  "/api/v2/refresh_tokens/{}": async (maker) => text(await newRefreshToken(maker), "id"),
};

/** How what a tenant has one of, or none, is made before it is asked for: by the operation that needs it. */
const single: { readonly [title: string]: (maker: Maker) => Promise<void> } = {
  "GET /api/v2/emails/provider": newProvider,
  "PATCH /api/v2/emails/provider": newProvider,
  "GET /api/v2/branding/templates/universal-login": async ({ manage }) => {
    await manage("PUT", "/api/v2/branding/templates/universal-login", { template });
  },
  "GET /api/v2/branding/themes/default": async ({ id }) => void (await id("/api/v2/branding/themes/{}")),
};

async function newProvider({ manage }: Maker): Promise<void> {
  await manage("POST", "/api/v2/emails/provider", {
    name: "smtp",
    credentials: { smtp_host: "mail.example.test", smtp_pass: "a-password" },
  });
}

const { themeId: _, ...theme } = sampleTheme;
const template = "{%- auth0:head -%}{%- auth0:widget -%}";

/** What bodies say at members of these names: something that nothing else has. */
const newValues: { readonly [name: string]: (owner: Owner) => string } = {
  name: newName,
  email: (owner) => `${newName(owner)}@example.test`,
  id: newName,
  identifier: (owner) => `https://${newName(owner)}.example.test/`,
  domain: (owner) => `${newName(owner)}.example.test`,
};

/** What bodies need at members of these names: records that are there, and words that mean something. */
const fittingValues: { readonly [name: string]: (maker: Maker) => unknown } = {
  connection: () => connection,
  strategy: () => "auth0",
  provider: () => "auth0",
  pem: () => publicKey,
  client_id: ({ id }) => id(clients),
  connection_id: ({ id }) => id(connections),
  grant_id: ({ id }) => id("/api/v2/client-grants/{}"),
  roles: async ({ id }) => [await id("/api/v2/roles/{}")],
  users: async ({ id }) => [await id(users)],
  members: async ({ id }) => [await id("/api/v2/organizations/{}/members/{}")],
  user_id: async (maker) => (await newUser(maker)).userId,
  audience: identifierOf,
  resource_server_identifier: identifierOf,
  permission_name: () => "read:things",
  template: () => template,
  borders: () => theme.borders,
  colors: () => theme.colors,
  fonts: () => theme.fonts,
  page_background: () => theme.page_background,
  widget: () => theme.widget,
  prompt: () => "login",
  screen: () => "login",
  kind: () => "upgrade",
};

/** What bodies need besides what their schemas demand: one of several members. */
const besides: { readonly [title: string]: (maker: Maker) => Promise<object> } = {
  "POST /api/v2/tickets/password-change": async (maker) => ({ user_id: (await newUser(maker)).userId }),
};

/** What queries need at parameters of these names. */
const fittingParameters: { readonly [name: string]: (maker: Maker) => Promise<string> } = { email: emailOf, identifier: emailOf };

/** Makes the {@link Records} of a tenant. */
export function recordsOf(owner: Owner): Records {
  const made = new Map<string, Promise<string>>();
  const id = (place: string): Promise<string> => {
    const known = made.get(place) ?? make(place);
    made.set(place, known);
    return known;
  };
  const maker: Maker = { ...owner, id };
  const make = async (place: string): Promise<string> => (makers[place] ?? post(place))(maker);
  /** Posts the smallest body to the collection that a place is in. */
  const post = (place: string) => async (): Promise<string> => {
    const above = place.replace(/\/\{\}$/, "");
    const operation = descriptions.management.operations.find(
      ({ method, path }) => method === "POST" && path.replaceAll(/\{\w+\}/g, "{}") === above,
    );
    if (operation?.body === undefined) throw new Error(`records.ts does not say how ${place} is made`);
    const { schema } = operation.body;
    const created = await owner.manage.create(await fill(operation.path), sampleOf("management", schema, await known(schema)));
    const name = ["id", ...Object.keys(created).filter((each) => each.endsWith("_id"))].find((each) => typeof created[each] === "string");
    return text(created, name ?? "id");
  };
  const known = async (schema: Schema): Promise<Known> => {
    const fitting = new Map<string, unknown>();
    for (const name of neededNames("management", schema)) fitting.set(name, await fittingValues[name]?.(maker));
    return (name) => fitting.get(name) ?? newValues[name]?.(owner);
  };
  const fill: Records["fill"] = async (path, others = {}) => {
    const values: string[] = [];
    for (const { name, place } of parametersOf(path)) values.push(others[name] ?? encodeURIComponent(await id(place)));
    return path.replaceAll(/\{\w+\}/g, () => values.shift() ?? "");
  };
  const request = async (operation: Operation): Promise<Sent> => {
    const { path, parameters, body } = operation;
    await single[operation.title]?.(maker);
    const query = new URLSearchParams();
    for (const { name, in: place, required } of parameters)
      if (place === "query" && required) query.set(name, (await fittingParameters[name]?.(maker)) ?? "sample");
    const sent = { path: await fill(path), query: query.size === 0 ? "" : `?${query}` };
    if (body === undefined) return sent;
    const smallest = sampleOf("management", body.schema, await known(body.schema));
    const more = await besides[operation.title]?.(maker);
    return { ...sent, body: JSON.stringify(more === undefined ? smallest : Object.assign({}, smallest, more)) };
  };
  return { id, fill, known, request };
}

/** A path's parameters from left to right, each with its place: the path up to it, with `{}` for every parameter. */
export function parametersOf(path: string): readonly { readonly name: string; readonly place: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: whole, 1: name = "", index }) => ({
    name,
    place: path.slice(0, index + whole.length).replaceAll(/\{\w+\}/g, "{}"),
  }));
}

async function newUser(maker: Owner): Promise<{ readonly userId: string; readonly email: string }> {
  const email = `${newName(maker)}@example.test`;
  return {
    email,
    userId: text(await maker.manage.create("/api/v2/users", { connection, email, password, name: newName(maker) }), "user_id"),
  };
}

/** A refresh token of somebody who has just signed in. */
async function newRefreshToken(maker: Maker): Promise<Json> {
  const { manage, service, tenantId } = maker;
  const app = await manage.create("/api/v2/clients", {
    name: newName(maker),
    app_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["password", "refresh_token"],
  });
  const { userId, email } = await newUser(maker);
  await done(
    service.call("POST", "/oauth/token", {
      headers: { "tenant-id": tenantId },
      body: { grant_type: "password", client_id: app["client_id"], username: email, password, scope: "openid offline_access" },
    }),
    200,
  );
  const [token = {}] = list(await manage("GET", `/api/v2/users/${encodeURIComponent(userId)}/refresh-tokens`));
  return token;
}

async function identifierOf({ manage, id }: Maker): Promise<string> {
  return text(object(await manage("GET", apis.replace("{}", await id(apis)))), "identifier");
}

async function emailOf({ manage, id }: Maker): Promise<string> {
  return text(object(await manage("GET", users.replace("{}", encodeURIComponent(await id(users))))), "email");
}

async function done(answer: Promise<Answer>, status: number): Promise<void> {
  const { status: actual, body } = await answer;
  expect({ status: actual, body }).toMatchObject({ status });
}
