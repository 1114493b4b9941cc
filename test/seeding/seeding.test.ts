import { generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { createMemoryAdapter } from "@postern/memory";
import type { LogEntry, Postern, Seed, SeedClient } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestPostern } from "../support/postern.ts";

const orders = "https://orders.example.test";
const secret = "a-secret-that-is-hard-to-guess";

let postern: Postern;
let warnings: LogEntry[];
const data = () => createMemoryAdapter({ strict: true });

beforeEach(async () => {
  warnings = [];
  const logger = { log: (entry: LogEntry) => void (entry.level === "warn" && warnings.push(entry)) };
  ({ postern } = await createTestPostern({ data: data(), logger }));
});

const web = (more: Partial<SeedClient["settings"]> = {}, rest: Partial<SeedClient> = {}): SeedClient => ({
  clientId: "web",
  secret,
  settings: { name: "Web", app_type: "regular_web", callbacks: ["https://app.example.test/callback"], ...more },
  ...rest,
});

const methodsWith = (pem: string): Partial<SeedClient["settings"]> => ({
  client_authentication_methods: { private_key_jwt: { credentials: [{ credential_type: "public_key", pem }] } },
});

/** A seed with every kind of resource. */
const completeSeed: Seed = {
  tenantId: "acme",
  name: "Acme",
  apis: [{ identifier: orders, scopes: [{ value: "read:orders", description: "See orders" }, { value: "write:orders" }] }],
  roles: [{ name: "Clerk", description: "Takes orders", permissions: { [orders]: ["read:orders", "write:orders"] } }],
  connections: [{ name: "staff", strategy: "auth0", settings: { options: { disable_signup: true } } }],
  clients: [web({}, { grants: { [orders]: ["read:orders"] } })],
  users: [
    { email: "ada@example.test", password: "correct horse battery", name: "Ada", roles: ["clerk"], app_metadata: { plan: "free" } },
    { email: "bea@example.test", password: "correct horse battery" },
  ],
  organizations: [
    {
      name: "north",
      settings: { display_name: "North" },
      connections: ["staff"],
      members: [{ email: "ada@example.test", roles: ["Clerk"] }, { email: "bea@example.test" }],
    },
  ],
};

test("rejects a seed with an unknown member, and names the member", async () => {
  const misspelt = { tenantId: "acme", clientz: [] };
  await expect(postern.seed(misspelt)).rejects.toMatchObject({
    code: "configuration_error",
    message: expect.stringContaining("postern.seed: unknown member 'clientz'; expected one of tenantId,"),
  });
});

test("a seed creates all its resources, and seeding again writes nothing", async () => {
  const first = await postern.seed(completeSeed);
  expect(first.created).toEqual([
    "client 'web'",
    "connection 'staff'",
    `API '${orders}'`,
    "role 'Clerk'",
    `grant of client 'web' for '${orders}'`,
    "the user 'ada@example.test'",
    "the user 'bea@example.test'",
    "organization 'north'",
  ]);
  const acme = postern.tenant("acme");
  const [ada] = await acme.users.list({ q: "email:ada@example.test" });
  expect(ada).toMatchObject({ name: "Ada", email_verified: true, app_metadata: { plan: "free" } });
  expect(await acme.users.permissions.list(ada?.user_id ?? "")).toMatchObject([
    { permission_name: "read:orders" },
    { permission_name: "write:orders" },
  ]);
  const north = await acme.organizations.getByName("north");
  expect(await acme.organizations.members.list(north.id)).toHaveLength(2);
  expect(await acme.organizations.members.roles.list(north.id, ada?.user_id ?? "")).toMatchObject([{ name: "Clerk" }]);
  expect(await acme.organizations.connections.list(north.id)).toMatchObject([{ connection: { name: "staff" } }]);
  const form = { grant_type: "client_credentials", client_id: "web", client_secret: secret, audience: orders };
  const token = await postern.fetch(new Request(`${postern.issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) }));
  expect(await token.json()).toMatchObject({ scope: "read:orders" });

  const events = await acme.logs.list({ per_page: 100 });
  expect(await postern.seed(completeSeed)).toEqual({ created: [], changed: [], differences: [] });
  expect(await acme.logs.list({ per_page: 100 })).toEqual(events);
  expect(warnings).toEqual([]);
});

test("the key of a seeded client has its thumbprint as `kid`", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await postern.seed({ tenantId: "acme", clients: [web(methodsWith(publicKey.export({ type: "spki", format: "pem" }).toString()))] });
  const kid = await calculateJwkThumbprint(publicKey);
  expect(await postern.tenant("acme").clients.credentials.list("web")).toMatchObject([{ kid }]);
});

test("16 concurrent starts create each seeded resource once", async () => {
  const reports = await Promise.all(
    Array.from({ length: 16 }, () => postern.seed({ ...completeSeed, users: completeSeed.users?.slice(0, 1) ?? [], organizations: [] })),
  );
  const created = reports.flatMap((report) => report.created).toSorted();
  expect(created).toEqual([...new Set(created)]);
  expect(await postern.tenant("acme").users.list()).toHaveLength(1);
  expect((await postern.seed(completeSeed)).created).toEqual(["the user 'bea@example.test'", "organization 'north'"]);
});

describe("a seed that changed", () => {
  const changed: Seed = {
    ...completeSeed,
    apis: [
      {
        identifier: orders,
        scopes: [{ value: "read:orders" }, { value: "write:orders" }, { value: "delete:orders" }],
        settings: { token_lifetime: 600 },
      },
    ],
    roles: [{ name: "Clerk", description: "Looks orders up", permissions: { [orders]: ["read:orders"] } }],
    connections: [{ name: "staff", strategy: "auth0", settings: { options: { disable_signup: false } } }],
    clients: [
      web({ name: "Website", callbacks: ["https://www.example.test/callback"] }, { secret: `${secret}-2`, grants: { [orders]: [] } }),
    ],
    organizations: [{ name: "north", settings: { display_name: "North pole" }, connections: ["Username-Password-Authentication"] }],
  };

  test("changes nothing by default, and reports and logs each field that differs", async () => {
    await postern.seed(completeSeed);
    const { differences, ...rest } = await postern.seed(changed);
    expect(rest).toEqual({ created: [], changed: [] });
    expect(differences.map(({ subject, field }) => `${subject}: ${field}`)).toEqual([
      "client 'web': name",
      "client 'web': callbacks",
      "client 'web': secret",
      "connection 'staff': options",
      `API '${orders}': token_lifetime`,
      `API '${orders}': scopes`,
      "role 'Clerk': description",
      "role 'Clerk': permissions",
      `grant of client 'web' for '${orders}': scope`,
      "organization 'north': display_name",
      "organization 'north': connections",
    ]);
    expect(differences[0]).toEqual({ subject: "client 'web'", field: "name", stored: "Web", wanted: "Website" });
    expect(warnings.map(({ event }) => event)).toEqual(differences.map(() => "seed_differs"));
    expect(warnings[0]).toMatchObject({
      tenant_id: "acme",
      message: expect.stringContaining("the stored 'name' of client 'web' differs from the seed"),
    });
    expect(JSON.stringify([differences, warnings])).not.toContain(secret);
    expect((await postern.tenant("acme").clients.get("web")).name).toBe("Web");
  });

  test("with `sync`, changes the fields in the seed and no others", async () => {
    await postern.seed(completeSeed);
    await postern.tenant("acme").clients.update("web", { description: "By hand", web_origins: ["https://app.example.test"] });
    const synced: Seed = {
      ...changed,
      apis: changed.apis?.map((one) => ({ ...one, sync: true })) ?? [],
      roles: changed.roles?.map((one) => ({ ...one, sync: true })) ?? [],
      connections: changed.connections?.map((one) => ({ ...one, sync: true })) ?? [],
      clients: changed.clients?.map((one) => ({ ...one, sync: true })) ?? [],
      organizations: changed.organizations?.map((one) => ({ ...one, sync: true })) ?? [],
    };
    expect(await postern.seed(synced)).toEqual({
      created: [],
      changed: [
        "client 'web'",
        "connection 'staff'",
        `API '${orders}'`,
        "role 'Clerk'",
        `grant of client 'web' for '${orders}'`,
        "organization 'north'",
      ],
      differences: [],
    });
    const acme = postern.tenant("acme");
    expect(await acme.clients.get("web")).toMatchObject({
      name: "Website",
      callbacks: ["https://www.example.test/callback"],
      description: "By hand",
      web_origins: ["https://app.example.test"],
    });
    const [role] = await acme.roles.list();
    expect(await acme.roles.permissions.list(role?.id ?? "")).toMatchObject([{ permission_name: "read:orders" }]);
    const requestToken = (clientSecret: string) => {
      const form = { grant_type: "client_credentials", client_id: "web", client_secret: clientSecret, audience: orders };
      return postern.fetch(new Request(`${postern.issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) }));
    };
    expect((await requestToken(secret)).status).toBe(401);
    expect((await requestToken(`${secret}-2`)).status).not.toBe(401);
    expect(await postern.seed(synced)).toEqual({ created: [], changed: [], differences: [] });
  });
});

test("with `sync`, an option of a connection keeps the members that the seed omits, at every depth", async () => {
  await postern.seed(completeSeed);
  const { connections } = postern.tenant("acme");
  const read = async () => (await connections.list({ name: "staff" }))[0];
  const before = await read();
  const methods = { password: { enabled: true, signup_behavior: "block" }, email_otp: { enabled: true } };
  await connections.update(before?.id ?? "", { options: { ...before?.options, authentication_methods: methods } });
  const options = { authentication_methods: { passkey: { enabled: true } } };
  await postern.seed({ tenantId: "acme", connections: [{ name: "staff", strategy: "auth0", settings: { options }, sync: true }] });
  expect((await read())?.options).toEqual({ ...before?.options, authentication_methods: { ...methods, passkey: { enabled: true } } });
});

test("the clients of seeded connections offer exactly these, other clients stay unchanged, and seeding again writes nothing", async () => {
  const clients = ["web", "kiosk"].map((clientId) => ({ clientId, settings: { name: clientId, app_type: "spa" as const } }));
  const connections: Seed["connections"] = [
    { name: "staff", strategy: "auth0", clients: ["web"], sync: true },
    { name: "google", strategy: "google-oauth2", clients: ["web"] },
    { name: "codes", strategy: "email" },
  ];
  const seed: Seed = { tenantId: "acme", clients, connections };
  const offered = async (clientId: string) =>
    (await postern.tenant("acme").clients.connections.list(clientId)).connections.map(({ name }) => name);
  expect((await postern.seed(seed)).created).toHaveLength(5);
  expect(await offered("web")).toEqual(["staff", "google"]);
  expect(await offered("kiosk")).toEqual(expect.arrayContaining(["Username-Password-Authentication", "staff", "codes"]));
  expect(await postern.seed(seed)).toEqual({ created: [], changed: [], differences: [] });
});

test("a seed leaves the password, the roles and changed fields of an existing user unchanged", async () => {
  await postern.seed(completeSeed);
  const acme = postern.tenant("acme");
  const [ada] = await acme.users.list({ q: "email:ada@example.test" });
  const id = ada?.user_id ?? "";
  const [role] = await acme.roles.list();
  await acme.users.roles.remove(id, { roles: [role?.id ?? ""] });
  await acme.users.update(id, { name: "Ada L." });
  await postern.seed(completeSeed);
  expect(await acme.users.roles.list(id)).toEqual([]);
  expect((await acme.users.get(id)).name).toBe("Ada L.");
});

describe("a seed with an invalid part", () => {
  test.each<[what: string, seed: Partial<Seed>, message: string]>([
    [
      "a weak password",
      { users: [{ email: "eve@example.test", password: "short" }] },
      "the user 'eve@example.test' cannot be used: 'password'",
    ],
    [
      "an invalid email address",
      { users: [{ email: "eve", password: "correct horse battery" }] },
      "'eve' is not a valid email address for a user",
    ],
    [
      "an unknown role of a user",
      { users: [{ email: "eve@example.test", password: "correct horse battery", roles: ["Boss"] }] },
      "the user 'eve@example.test' cannot be used: the role 'Boss' does not exist",
    ],
    [
      "a permission of an unknown API",
      { roles: [{ name: "Boss", permissions: { "https://nowhere.test": ["a"] } }] },
      "role 'Boss' cannot be used",
    ],
    [
      "a grant for an unknown API",
      { clients: [web({}, { grants: { "https://nowhere.test": ["a"] } })] },
      "grant of client 'web' for 'https://nowhere.test' cannot be used",
    ],
    ["a forbidden callback", { clients: [web({ callbacks: ["javascript:alert(1)"] })] }, "client 'web' cannot be used: 'callbacks"],
    ["a key of a client that is no key", { clients: [web(methodsWith("no key"))] }, "client 'web' cannot be used: 'pem'"],
    [
      "an unknown field of a client",
      { clients: [web({ nonsense: 1 } as object)] },
      "client 'web' cannot be used: unknown field 'nonsense'",
    ],
    [
      "a member who is not a user",
      { organizations: [{ name: "south", members: [{ email: "eve@example.test" }] }] },
      "the user 'eve@example.test' does not exist",
    ],
    [
      "an unknown connection of an organization",
      { organizations: [{ name: "south", connections: ["ldap"] }] },
      "the connection 'ldap' does not exist",
    ],
    [
      "a changed strategy of a connection",
      { connections: [{ name: "Username-Password-Authentication", strategy: "sms", sync: true }] },
      "its strategy is 'auth0' and cannot be changed",
    ],
  ])("is rejected with an error that names the part (%s)", async (_, seed, message) => {
    await expect(postern.seed({ tenantId: "acme", ...seed })).rejects.toMatchObject({
      code: "configuration_error",
      message: expect.stringContaining(message),
    });
    // The service remains usable.
    expect((await postern.seed({ tenantId: "acme" })).created).toEqual([]);
  });

  test("assigns no roles to a user whose password is rejected, and the next start can create the user", async () => {
    const seed: Seed = { ...completeSeed, users: [{ email: "eve@example.test", password: "short", roles: ["Clerk"] }], organizations: [] };
    await expect(postern.seed(seed)).rejects.toThrow("password");
    const retry = await postern.seed({ ...seed, users: [{ email: "eve@example.test", password: "correct horse battery" }] });
    expect(retry.created).toEqual(["the user 'eve@example.test'"]);
    const acme = postern.tenant("acme");
    const [role] = await acme.roles.list();
    expect(await acme.roles.users.list(role?.id ?? "")).toEqual([]);
  });
});
