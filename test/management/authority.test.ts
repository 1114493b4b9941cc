import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

/**
 * A caller cannot gain permissions: not by taking over another client, and not by granting permissions that it does not
 * hold.
 */

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** Returns a function that calls the Management API with only these scopes. */
async function callerWith(...scope: readonly string[]): Promise<(method: string, path: string, body?: unknown) => Promise<ApiResponse>> {
  const token = await tokenWith(service, manage, scope);
  return (method, path, body) => service.call(method, path, { token, ...(body !== undefined && { body }) });
}

const requestToken = (body: object): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", { body: { grant_type: "client_credentials", audience: managementAudience, ...body } });

describe("a caller that may update clients cannot take over a client", () => {
  const path = "/api/v2/clients/main-manager";

  const credentials = [{ credential_type: "public_key", pem }];
  test.each<readonly [string, object]>([
    ["disabling its secret", { token_endpoint_auth_method: "none" }],
    ["changing how it sends its secret", { token_endpoint_auth_method: "client_secret_basic" }],
    ["setting an application type that is public by default", { token_endpoint_auth_method: null, app_type: "spa" }],
    ["setting a new secret", { client_secret: "q7Vb2nXw9RkLz4Ty8PmJc3Hs6Fd1Gu5A" }],
    ["adding a key", { client_authentication_methods: { private_key_jwt: { credentials } } }],
    ["adding a key for request objects", { signed_request_object: { credentials } }],
    ["changing whether its requests must be signed", { signed_request_object: { required: false } }],
    ["removing all keys", { client_authentication_methods: { private_key_jwt: { credentials: [] } } }],
  ])("by %s", async (_, body) => {
    const call = await callerWith("update:clients");
    expectError(await call("PATCH", path, body), 403, "insufficient_scope", "update:client_keys");
    expect(await requestToken({ client_id: "main-manager" })).toMatchObject({ status: 401 });
  });

  test("by updating or deleting one of its keys", async () => {
    const { client_id: id } = await manage.create("/api/v2/clients", {
      name: "Signs",
      app_type: "non_interactive",
      client_authentication_methods: { private_key_jwt: { credentials: [{ ...credentials[0], expires_at: "2026-02-01T00:00:00Z" }] } },
    });
    const keysPath = `/api/v2/clients/${String(id)}/credentials`;
    const [key] = list(await manage("GET", keysPath));
    const keyPath = `${keysPath}/${stringMember(key ?? {}, "id")}`;
    const call = await callerWith("update:client_credentials", "delete:client_credentials", "update:clients");
    for (const expires_at of [null, "2026-03-01T00:00:00Z", "2026-01-15T00:00:00Z"])
      expectError(await call("PATCH", keyPath, { expires_at }), 403, "insufficient_scope", "update:client_keys");
    expectError(await call("PATCH", keyPath, {}), 403, "insufficient_scope", "update:client_keys");
    expectError(await call("DELETE", keyPath), 403, "insufficient_scope", "update:client_keys");
    expect(list(await manage("GET", keysPath))).toEqual([key]);

    const holder = await callerWith("update:client_credentials", "delete:client_credentials", "update:client_keys");
    expect(await holder("PATCH", keyPath, { expires_at: "2026-01-15T00:00:00Z" })).toMatchObject({ status: 200 });
    expect(await holder("DELETE", keyPath)).toMatchObject({ status: 204 });
  });

  test("but can make changes that do not affect its authentication", async () => {
    const shown = jsonBody(await manage("GET", path));
    const call = await callerWith("update:clients");
    const body = { name: "Renamed", token_endpoint_auth_method: shown["token_endpoint_auth_method"] };
    expect(jsonBody(await call("PATCH", path, body))).toMatchObject({ name: "Renamed" });
  });

  test("by making it public, because public clients get no client_credentials tokens", async () => {
    const token = await service.token();
    const call = await callerWith("update:clients", "update:client_keys");
    expect(await call("PATCH", path, { token_endpoint_auth_method: "none" })).toMatchObject({ status: 200 });
    expect((await requestToken({ client_id: "main-manager" })).body).toMatchObject({ error: "unauthorized_client" });
    // A token that the client got while it had a secret is no longer valid.
    expectError(await service.call("GET", "/api/v2/users", { token }), 401, "invalid_token");

    await service.postern.seed({
      tenantId: "main",
      clients: [
        { clientId: "seeded", settings: { name: "Seeded", app_type: "spa", grant_types: ["client_credentials"] }, managesTenant: true },
      ],
    });
    expect((await requestToken({ client_id: "seeded" })).body).toMatchObject({ error: "unauthorized_client" });
  });
});

describe("a caller that lacks a permission of the Management API cannot grant", () => {
  const permission = (name: string) => ({ resource_server_identifier: managementAudience, permission_name: name });
  const permissions = [permission("read:users"), permission("delete:clients")];
  let role: string;
  let user: string;
  let organization: string;
  let client: string;

  beforeEach(async () => {
    role = stringMember(await manage.create("/api/v2/roles", { name: "Powerful" }), "id");
    expect(await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions })).toMatchObject({ status: 201 });
    user = stringMember(
      await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "eve@example.test" }),
      "user_id",
    );
    organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
    expect(await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [user] })).toMatchObject({ status: 204 });
    client = stringMember(await manage.create("/api/v2/clients", { name: "Eve's", app_type: "regular_web" }), "client_id");
  });

  /** The required scope and the request. */
  const routes: readonly (readonly [string, string, () => readonly [string, string, object]])[] = [
    ["permissions of a user", "update:users", () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/permissions`, { permissions }]],
    [
      "a role that contains them, to a user",
      "update:users",
      () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/roles`, { roles: [role] }],
    ],
    [
      "a role that contains them, to a user, with create:role_members",
      "create:role_members",
      () => ["POST", `/api/v2/users/${encodeURIComponent(user)}/roles`, { roles: [role] }],
    ],
    ["a role that contains them, to several users", "update:roles", () => ["POST", `/api/v2/roles/${role}/users`, { users: [user] }]],
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
    expect(stringMember(refusal, "error_description")).not.toContain("read:users");
    // A caller that holds the permission can grant it.
    const allowed =
      path.endsWith("client-grants") && "allow_all_scopes" in body ? manage : await callerWith(scope, "read:users", "delete:clients");
    expect([200, 201, 204]).toContain((await allowed(method, path, body)).status);
  });

  test("a client grant with added scopes, but can keep and remove existing scopes", async () => {
    const grant = { client_id: client, audience: managementAudience, scope: ["read:logs"] };
    const path = `/api/v2/client-grants/${stringMember(await manage.create("/api/v2/client-grants", grant), "id")}`;
    const call = await callerWith("update:client_grants", "read:users");
    for (const body of [{ scope: ["read:logs", "delete:clients"] }, { allow_all_scopes: true }])
      expectError(await call("PATCH", path, body), 403, "insufficient_scope", "delete:clients");
    expect(jsonBody(await call("PATCH", path, { scope: ["read:logs", "read:users"] }))).toMatchObject({
      scope: ["read:logs", "read:users"],
    });
    expect(jsonBody(await call("PATCH", path, { scope: ["read:users"] }))).toMatchObject({ scope: ["read:users"] });
  });

  test("but can grant permissions of other APIs with update:users", async () => {
    const shop = "https://shop.example.test/";
    await manage.create("/api/v2/resource-servers", { name: "Shop", identifier: shop, scopes: [{ value: "delete:clients" }] });
    const call = await callerWith("update:users");
    const body = { permissions: [{ resource_server_identifier: shop, permission_name: "delete:clients" }] };
    expect(await call("POST", `/api/v2/users/${encodeURIComponent(user)}/permissions`, body)).toMatchObject({ status: 201 });
  });
});
