import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { requireDeclaration } from "../../packages/core/src/tenants/callers/check-scopes.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { insertLinked } from "../support/rows.ts";
import { tokenWith } from "./token-with.ts";

/** Auth0's narrower scopes: each allows the same requests as in Auth0, and reads and changes only its own members. */

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** Returns a function that calls the Management API with only these scopes. */
async function callerWith(...scopes: readonly string[]): Promise<(method: string, path: string, body?: unknown) => Promise<ApiResponse>> {
  const token = await tokenWith(service, manage, scopes);
  return (method, path, body) => service.call(method, path, { token, ...(body !== undefined && { body }) });
}

describe("reading clients", () => {
  const settings = {
    name: "Shop",
    description: "Sells",
    app_type: "regular_web",
    callbacks: ["https://shop.example.test/callback"],
    encryption_key: { pub: "PEM" },
    client_metadata: { plan: "gold" },
  } as const;
  const summary = { name: "Shop", description: "Sells", app_type: "regular_web" };
  let id: string;

  beforeEach(async () => {
    id = stringMember(await manage.create("/api/v2/clients", settings), "client_id");
  });

  /** Returns the client. Expects the route for one client and both list styles to return the same members. */
  async function readClient(...scopes: readonly string[]): Promise<unknown> {
    const call = await callerWith(...scopes);
    const one = jsonBody(await call("GET", `/api/v2/clients/${id}`));
    const { clients } = jsonBody(await call("GET", "/api/v2/clients?include_totals=true&per_page=100")) as { readonly clients: unknown[] };
    expect(clients).toContainEqual(one);
    expect(list(await call("GET", "/api/v2/clients?per_page=100"))).toContainEqual(one);
    return one;
  }

  test("read:client_summary returns the summary of a client and nothing else", async () => {
    expect(await readClient("read:client_summary")).toEqual({ client_id: id, ...summary });
    const call = await callerWith("read:client_summary");
    expect(jsonBody(await call("GET", `/api/v2/clients/${id}?fields=callbacks,name`))).toEqual({ name: "Shop" });
    expect(jsonBody(await call("GET", `/api/v2/clients/${id}?fields=name&include_fields=false`))).not.toHaveProperty("callbacks");
  });

  test("read:client_credentials returns the summary and the keys", async () => {
    expect(await readClient("read:client_credentials")).toEqual({ client_id: id, ...summary, encryption_key: { pub: "PEM" } });
  });

  test("read:clients returns all members except keys, read:client_keys returns all, and two scopes return the members of both", async () => {
    const { client_secret: _secret, ...all } = jsonBody(await manage("GET", `/api/v2/clients/${id}`));
    const { encryption_key: _key, ...withoutKeys } = all;
    expect(await readClient("read:clients")).toEqual(withoutKeys);
    expect(await readClient("read:client_keys")).toEqual(all);
    expect(await readClient("read:clients", "read:client_credentials")).toEqual(all);
    expect(await readClient("read:client_summary", "read:client_credentials")).toEqual({
      client_id: id,
      ...summary,
      encryption_key: { pub: "PEM" },
    });
  });

  test("a caller cannot search, filter or sort by members that the token may not read", async () => {
    const call = await callerWith("read:client_summary");
    for (const query of ["q=is_first_party:true", "q=name:Shop AND is_first_party:true", "sort=created_at:asc"]) {
      expectError(await call("GET", `/api/v2/clients?${encodeURI(query)}`), 400, "invalid_request", "'(q|sort)'");
    }
    expectError(await call("GET", "/api/v2/clients?is_first_party=true"), 400, "invalid_request", "'is_first_party'");
    expect(list(await call("GET", "/api/v2/clients?app_type=spa"))).toEqual([]);
    for (const query of ["q=name:Shop&sort=name:asc", "q=Shop"])
      expect(list(await call("GET", `/api/v2/clients?${query}`))).toHaveLength(1);
    const all = await callerWith("read:clients");
    expect(list(await all("GET", "/api/v2/clients?q=is_first_party:true&sort=created_at:asc&per_page=100"))).not.toEqual([]);
  });

  test("read:client_summary returns a client's connections without their settings", async () => {
    const call = await callerWith("read:client_summary");
    const { connections, enabled_connections } = jsonBody(await call("GET", `/api/v2/clients/${id}/connections`));
    const connection = { id: expect.any(String), name: "Username-Password-Authentication", strategy: "auth0" };
    expect(connections).toEqual([connection]);
    expect(enabled_connections).toEqual([{ connection_id: expect.any(String), connection }]);
  });
});

describe("users", () => {
  let ann: string;

  beforeEach(async () => {
    const body = { connection: "Username-Password-Authentication", email: "ann@example.test", password: "Correct-horse-1" };
    ann = stringMember(await manage.create("/api/v2/users", { ...body, app_metadata: { plan: "free", seats: 1 } }), "user_id");
    await insertLinked(service, ann, { user_id: "github|7", connection: "github", provider: "github", email: "ann@home.test" });
  });
  const path = (): string => `/api/v2/users/${encodeURIComponent(ann)}`;

  test("read:user_idp_tokens returns the identities of users and no profile", async () => {
    const call = await callerWith("read:user_idp_tokens");
    const shown = {
      user_id: ann,
      identities: [
        { connection: "Username-Password-Authentication", user_id: ann.split("|")[1], provider: "auth0", isSocial: false },
        { connection: "github", user_id: "7", provider: "github", isSocial: true },
      ],
    };
    expect(jsonBody(await call("GET", path()))).toEqual(shown);
    expect(list(await call("GET", "/api/v2/users"))).toEqual([shown]);
    expect(jsonBody(await call("GET", `${path()}?fields=email,identities`))).toEqual({ identities: shown.identities });
    for (const query of ["q=email:ann@example.test", "q=ann", "q=app_metadata.plan:free", "sort=email:asc"]) {
      expectError(await call("GET", `/api/v2/users?${query}`), 400, "invalid_request", "'(q|sort)'");
    }
    expect((await call("GET", "/api/v2/users-by-email?email=ann@example.test")).status).toBe(403);
  });

  test("update:users_app_metadata changes and returns only the app_metadata of any user", async () => {
    const call = await callerWith("update:users_app_metadata");
    expect(jsonBody(await call("PATCH", path(), { app_metadata: { plan: "pro" } }))).toEqual({
      user_id: ann,
      app_metadata: { plan: "pro", seats: 1 },
    });
    const before = jsonBody(await manage("GET", path()));
    for (const body of [
      { user_metadata: {} },
      { app_metadata: {}, user_metadata: {} },
      { app_metadata: {}, blocked: true },
      { password: "Correct-horse-2" },
      { email: "root@example.test", app_metadata: {} },
      { connection: "github", app_metadata: {} },
    ]) {
      expectError(await call("PATCH", path(), body), 403, "insufficient_scope", "update:users");
    }
    expect(jsonBody(await manage("GET", path()))).toEqual(before);
    expect((await call("GET", path())).status).toBe(403);
  });
});

test("create:organization_connections allows organizations with connections, and update:signing_keys allows rotation", async () => {
  const [connection] = list(await manage("GET", "/api/v2/connections"));
  const enabled_connections = [{ connection_id: connection?.["id"] }];
  const made = await (
    await callerWith("create:organization_connections")
  )("POST", "/api/v2/organizations", { name: "acme", enabled_connections });
  expect(made).toMatchObject({ status: 201, body: { name: "acme", enabled_connections: [{ connection_id: connection?.["id"] }] } });
  expect(await (await callerWith("update:signing_keys"))("POST", "/api/v2/keys/signing/rotate")).toMatchObject({ status: 201 });
});

describe("scopes that depend on the request or on the resource", () => {
  test.each([
    ["PATCH", "/clients/{client_id}/credentials/{id}", "update:client_credentials", { expires_at: null }, ""],
    ["DELETE", "/clients/{client_id}/credentials/{id}", "delete:client_credentials", undefined, ""],
    ["PATCH", "/clients/{id}", "update:clients", { client_secret: "a-secret-that-is-long-enough-for-clients-1" }, ""],
    ["POST", "/jobs/users-imports", "create:users", { users: [], connection_id: "{connection}", upsert: true }, ""],
    ["GET", "/organizations/{id}/members", "read:organization_members", undefined, "?fields=roles"],
    ["GET", "/sessions/{id}/clients/{client_id}", "read:sessions", undefined, "?organization_id=acme"],
    ["PATCH", "/users/{id}", "update:users_app_metadata", { name: "Ada" }, ""],
  ] as const)("of %s %s with %s are listed in the OpenAPI document", async (method, template, scope, body, query) => {
    const client = stringMember(await manage.create("/api/v2/clients", { name: "Job", app_type: "non_interactive" }), "client_id");
    const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
    const user = await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "ada@example.test" });
    const id =
      { clients: client, organizations: organization, users: stringMember(user, "user_id") }[template.split("/")[1] ?? ""] ?? "none";
    const path = `/api/v2${template.replace("{client_id}", client).replace("{id}", encodeURIComponent(id))}${query}`;
    const refusal = await (await callerWith(scope))(method, path, body);
    expectError(refusal, 403, "insufficient_scope");
    const [, requiredScopes = ""] = /scope="([^"]+)"/.exec(refusal.headers.get("www-authenticate") ?? "") ?? [];
    const { paths } = jsonBody(await service.call("GET", "/api/v2/spec")) as { readonly paths: { readonly [path: string]: JsonBody } };
    const { [method.toLowerCase()]: operation } = paths[`/api/v2${template}`] ?? {};
    const { security, description } = operation as {
      readonly security: readonly { readonly bearer: readonly string[] }[];
      readonly description: string;
    };
    expect(security.flatMap(({ bearer }) => bearer)).toEqual(expect.arrayContaining([scope, ...requiredScopes.split(" ")]));
    expect(description).toContain("Also requires `");
  });

  test("must be declared by the route", () => {
    expect(() => requireDeclaration({ furtherScopes: [] }, { scopes: ["read:users"] })).toThrow("does not declare");
  });

  test("are checked only in code that has the declaration of the route", () => {
    const root = join(import.meta.dirname, "../../packages/core/src");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const filesWithChecks = files.filter((file) => readFileSync(join(root, file), "utf8").includes("checkScopes("));
    expect(filesWithChecks).toEqual(["tenants/callers/check-scopes.ts"]);
  });

  test("include each scope that a request grants", async () => {
    const { paths } = jsonBody(await service.call("GET", "/api/v2/spec")) as { readonly paths: { readonly [path: string]: JsonBody } };
    const grantingRoutes = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        JSON.stringify(operation).includes("that the request grants") ? `${method.toUpperCase()} ${path.replace("/api/v2", "")}` : [],
      ),
    );
    expect(grantingRoutes.toSorted()).toEqual([
      "DELETE /guardian/enrollments/{id}",
      "DELETE /users/{id}/authentication-methods",
      "DELETE /users/{id}/authentication-methods/{authentication_method_id}",
      "DELETE /users/{id}/authenticators",
      "DELETE /users/{id}/multifactor/{provider}",
      "PATCH /client-grants/{id}",
      "PATCH /organizations/{id}/connections/{connection_id}",
      "PATCH /organizations/{id}/enabled_connections/{connection_id}",
      "PATCH /users/{id}",
      "POST /client-grants",
      "POST /organizations/{id}/client-grants",
      "POST /organizations/{id}/connections",
      "POST /organizations/{id}/enabled_connections",
      "POST /organizations/{id}/invitations",
      "POST /organizations/{id}/members",
      "POST /organizations/{id}/members/{user_id}/roles",
      "POST /roles/{id}/permissions",
      "POST /roles/{id}/users",
      "POST /tickets/email-verification",
      "POST /tickets/password-change",
      "POST /users/{id}/authentication-methods",
      "POST /users/{id}/identities",
      "POST /users/{id}/permissions",
      "POST /users/{id}/recovery-code-regeneration",
      "POST /users/{id}/roles",
      "PUT /users/{id}/authentication-methods",
    ]);
  });
});
