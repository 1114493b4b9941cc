import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, object, text, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type Answer, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

/** Nobody comes to more than they have: not by becoming another client, and not by giving away what they lack. */

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** Calls the Management API with these scopes alone. */
async function callerWith(...scope: readonly string[]): Promise<(method: string, path: string, body?: unknown) => Promise<Answer>> {
  const token = await tokenWith(service, manage, scope);
  return (method, path, body) => service.call(method, path, { token, ...(body !== undefined && { body }) });
}

const askToken = (body: object): Promise<Answer> =>
  service.call("POST", "/oauth/token", { body: { grant_type: "client_credentials", audience: managementAudience, ...body } });

describe("a client cannot be taken over by whoever may change clients", () => {
  const path = "/api/v2/clients/main-manager";

  const credentials = [{ credential_type: "public_key", pem }];
  test.each<readonly [string, object]>([
    ["taking its secret's use away", { token_endpoint_auth_method: "none" }],
    ["another way to send its secret", { token_endpoint_auth_method: "client_secret_basic" }],
    ["a type of application that is public by default", { token_endpoint_auth_method: null, app_type: "spa" }],
    ["a secret of one's own", { client_secret: "q7Vb2nXw9RkLz4Ty8PmJc3Hs6Fd1Gu5A" }],
    ["a key of one's own", { client_authentication_methods: { private_key_jwt: { credentials } } }],
    ["none of its keys", { client_authentication_methods: { private_key_jwt: { credentials: [] } } }],
  ])("by %s", async (_, body) => {
    const call = await callerWith("update:clients");
    expectError(await call("PATCH", path, body), 403, "insufficient_scope", "update:client_keys");
    expect(await askToken({ client_id: "main-manager" })).toMatchObject({ status: 401 });
  });

  test("by changing or taking away a key of its", async () => {
    const { client_id: id } = await manage.create("/api/v2/clients", {
      name: "Signs",
      app_type: "non_interactive",
      client_authentication_methods: { private_key_jwt: { credentials: [{ ...credentials[0], expires_at: "2026-02-01T00:00:00Z" }] } },
    });
    const all = `/api/v2/clients/${String(id)}/credentials`;
    const [key] = list(await manage("GET", all));
    const of = `${all}/${text(key ?? {}, "id")}`;
    const call = await callerWith("update:client_credentials", "delete:client_credentials", "update:clients");
    for (const expires_at of [null, "2026-03-01T00:00:00Z", "2026-01-15T00:00:00Z"])
      expectError(await call("PATCH", of, { expires_at }), 403, "insufficient_scope", "update:client_keys");
    expectError(await call("PATCH", of, {}), 403, "insufficient_scope", "update:client_keys");
    expectError(await call("DELETE", of), 403, "insufficient_scope", "update:client_keys");
    expect(list(await manage("GET", all))).toEqual([key]);

    const holder = await callerWith("update:client_credentials", "delete:client_credentials", "update:client_keys");
    expect(await holder("PATCH", of, { expires_at: "2026-01-15T00:00:00Z" })).toMatchObject({ status: 200 });
    expect(await holder("DELETE", of)).toMatchObject({ status: 204 });
  });

  test("what changes nothing about how it proves itself takes no further scope", async () => {
    const shown = object(await manage("GET", path));
    const call = await callerWith("update:clients");
    const body = { name: "Renamed", token_endpoint_auth_method: shown["token_endpoint_auth_method"] };
    expect(object(await call("PATCH", path, body))).toMatchObject({ name: "Renamed" });
  });

  test("nor by public clients: a client without a secret has nothing of its own, however it came to be public", async () => {
    const token = await service.token();
    const call = await callerWith("update:clients", "update:client_keys");
    expect(await call("PATCH", path, { token_endpoint_auth_method: "none" })).toMatchObject({ status: 200 });
    expect((await askToken({ client_id: "main-manager" })).body).toMatchObject({ error: "unauthorized_client" });
    // Nor does a token that it got while it had a secret go on.
    expectError(await service.call("GET", "/api/v2/users", { token }), 401, "invalid_token");

    await service.postern.seed({
      tenantId: "main",
      clients: [
        { clientId: "seeded", settings: { name: "Seeded", app_type: "spa", grant_types: ["client_credentials"] }, managesTenant: true },
      ],
    });
    expect((await askToken({ client_id: "seeded" })).body).toMatchObject({ error: "unauthorized_client" });
  });
});

describe("nobody gives a permission of the Management API that they lack", () => {
  const permission = (name: string) => ({ resource_server_identifier: managementAudience, permission_name: name });
  const permissions = [permission("read:users"), permission("delete:clients")];
  let role: string;
  let user: string;
  let organization: string;
  let client: string;

  beforeEach(async () => {
    role = text(await manage.create("/api/v2/roles", { name: "Powerful" }), "id");
    expect(await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions })).toMatchObject({ status: 201 });
    user = text(
      await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "eve@example.test" }),
      "user_id",
    );
    organization = text(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
    expect(await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [user] })).toMatchObject({ status: 204 });
    client = text(await manage.create("/api/v2/clients", { name: "Eve's", app_type: "regular_web" }), "client_id");
  });

  /** The scope that the route asks for, and what is sent. */
  const routes: readonly (readonly [string, string, () => readonly [string, string, object]])[] = [
    ["permissions of a user", "update:users", () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/permissions`, { permissions }]],
    [
      "a role that carries them, to a user",
      "update:users",
      () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/roles`, { roles: [role] }],
    ],
    [
      "the same by create:role_members",
      "create:role_members",
      () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/roles`, { roles: [role] }],
    ],
    ["a role that carries them, to users", "update:roles", () => ["POST", `/api/v2/roles/${role}/users`, { users: [user] }]],
    [
      "permissions of a role",
      "update:roles",
      () => ["POST", `/api/v2/roles/${role}/permissions`, { permissions: [permission("delete:clients")] }],
    ],
    [
      "a role inside an organization",
      "create:organization_member_roles",
      () => ["POST", `/api/v2/organizations/${organization}/members/${encodeURIComponent(user)}/roles`, { roles: [role] }],
    ],
    [
      "a role in an invitation",
      "create:organization_invitations",
      () => [
        "POST",
        `/api/v2/organizations/${organization}/invitations`,
        {
          inviter: { name: "Eve" },
          invitee: { email: "eve@example.test" },
          client_id: client,
          roles: [role],
          send_invitation_email: false,
        },
      ],
    ],
    [
      "a client grant",
      "create:client_grants",
      () => ["POST", "/api/v2/client-grants", { client_id: client, audience: managementAudience, scope: ["delete:clients"] }],
    ],
    [
      "a client grant of every scope",
      "create:client_grants",
      () => ["POST", "/api/v2/client-grants", { client_id: client, audience: managementAudience, scope: [], allow_all_scopes: true }],
    ],
    [
      "a client grant for users",
      "create:client_grants",
      () => [
        "POST",
        "/api/v2/client-grants",
        { client_id: client, audience: managementAudience, scope: ["delete:clients"], subject_type: "user" },
      ],
    ],
  ];

  test.each(routes)("%s", async (_, scope, request) => {
    const [method, path, body] = request();
    const refusal = expectError(
      await (
        await callerWith(scope, "read:users")
      )(method, path, body),
      403,
      "insufficient_scope",
      "delete:clients",
    );
    expect(text(refusal, "error_description")).not.toContain("read:users");
    // Who has what they give may give it.
    const allowed =
      path.endsWith("client-grants") && "allow_all_scopes" in body ? manage : await callerWith(scope, "read:users", "delete:clients");
    expect([200, 201, 204]).toContain((await allowed(method, path, body)).status);
  });

  test("a change of a client grant: what it adds counts, what it had stays", async () => {
    const grant = { client_id: client, audience: managementAudience, scope: ["read:logs"] };
    const path = `/api/v2/client-grants/${text(await manage.create("/api/v2/client-grants", grant), "id")}`;
    const call = await callerWith("update:client_grants", "read:users");
    for (const body of [{ scope: ["read:logs", "delete:clients"] }, { allow_all_scopes: true }])
      expectError(await call("PATCH", path, body), 403, "insufficient_scope", "delete:clients");
    expect(object(await call("PATCH", path, { scope: ["read:logs", "read:users"] }))).toMatchObject({ scope: ["read:logs", "read:users"] });
    expect(object(await call("PATCH", path, { scope: ["read:users"] }))).toMatchObject({ scope: ["read:users"] });
  });

  test("permissions of other APIs are given by whoever may change users", async () => {
    const shop = "https://shop.example.test/";
    await manage.create("/api/v2/resource-servers", { name: "Shop", identifier: shop, scopes: [{ value: "delete:clients" }] });
    const call = await callerWith("update:users");
    const body = { permissions: [{ resource_server_identifier: shop, permission_name: "delete:clients" }] };
    expect(await call("POST", `/api/v2/users/${encodeURIComponent(user)}/permissions`, body)).toMatchObject({ status: 201 });
  });
});
