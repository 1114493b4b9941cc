import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "../management/token-with.ts";

/** A client may act by itself for an organization only if one of its client grants was added to that organization. */

const api = "https://machines.example.test/";
const unknown = "org_ABCDEFGHIJKLMNOP";

let service: TestPostern;
/** Calls the API of a tenant that is not the control plane, because its Management API accepts organization tokens. */
let manage: Manager;
let acme: string;
let client: JsonBody;
let grant: string;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service, "other");
  acme = stringMember(await manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme" }), "id");
  client = await manage.create("/api/v2/clients", { name: "Robot", app_type: "non_interactive" });
  await manage.create("/api/v2/resource-servers", { identifier: api, scopes: [{ value: "run" }] });
  grant = await newGrant({ audience: api, scope: ["run"] });
});

const newGrant = async (more: object): Promise<string> =>
  stringMember(
    await manage.create("/api/v2/client-grants", { client_id: client["client_id"], organization_usage: "allow", ...more }),
    "id",
  );
const at = (organization = acme): string => `/api/v2/organizations/${organization}/client-grants`;
const addGrant = (id = grant, organization = acme): Promise<ApiResponse> => manage("POST", at(organization), { grant_id: id });
const removeGrant = (id = grant, organization = acme): Promise<ApiResponse> => manage("DELETE", `${at(organization)}/${id}`);
const change = async (id: string, body: object): Promise<JsonBody> => jsonBody(await manage("PATCH", `/api/v2/client-grants/${id}`, body));
const idsOf = async (query = "", organization = acme): Promise<readonly unknown[]> =>
  list(await manage("GET", at(organization) + query)).map(({ id }) => id);

const request = (more: object = {}, audience = api): Promise<ApiResponse> => {
  const { client_id, client_secret } = client;
  return service.call("POST", "/oauth/token", { body: { grant_type: "client_credentials", client_id, client_secret, audience, ...more } });
};
const tokenFor = async (organization?: string, audience = api): Promise<string> =>
  stringMember(jsonBody(await request(organization === undefined ? {} : { organization }, audience)), "access_token");

/** Adds a client grant to the organization. @returns its id, and a Management API token for the organization. */
async function managing(): Promise<{ readonly id: string; readonly token: string }> {
  const id = await newGrant({ audience: managementAudience, scope: ["read:users"] });
  expect((await addGrant(id)).status).toBe(201);
  return { id, token: await tokenFor(acme, managementAudience) };
}

describe("the routes of an organization's client grants", () => {
  test("add a grant, list it from both sides, and remove it", async () => {
    const result = { id: grant, client_id: client["client_id"], audience: api, scope: ["run"], organization_usage: "allow" };
    expect(jsonBody(await addGrant(), 201)).toEqual({ ...result, allow_any_organization: false });
    expect(list(await manage("GET", at()))).toEqual([{ ...result, allow_any_organization: false }]);
    expect(list(await manage("GET", `/api/v2/client-grants/${grant}/organizations`))).toEqual([
      { id: acme, name: "acme", display_name: "Acme" },
    ]);
    expect((await removeGrant()).status).toBe(204);
    expect(await idsOf()).toEqual([]);
    expect(list(await manage("GET", `/api/v2/client-grants/${grant}/organizations`))).toEqual([]);
    expect((await removeGrant()).status).toBe(204);
  });

  test("filter grants by API, client and id", async () => {
    const ofManagement = await newGrant({ audience: managementAudience, scope: [] });
    const others = stringMember(await manage.create("/api/v2/clients", { name: "Other", app_type: "non_interactive" }), "client_id");
    const ofOther = await newGrant({ client_id: others, audience: api, scope: [] });
    const result = [grant, ofManagement, ofOther].toSorted();
    for (const id of result) expect((await addGrant(id)).status).toBe(201);
    expect(await idsOf()).toEqual(result);
    expect(await idsOf(`?audience=${encodeURIComponent(managementAudience)}`)).toEqual([ofManagement]);
    expect(await idsOf(`?client_id=${others}`)).toEqual([ofOther]);
    expect(await idsOf(`?client_id=${others}&audience=${encodeURIComponent(managementAudience)}`)).toEqual([]);
    expect(await idsOf(`?grant_ids=${grant}`)).toEqual([grant]);
    expect(await idsOf(`?grant_ids=${grant}&grant_ids=${ofOther}&grant_ids=cgr_none`)).toEqual([grant, ofOther].toSorted());
    const page = jsonBody(await manage("GET", `${at()}?client_id=${others}&include_totals=true&page=0&per_page=1`));
    expect(page).toMatchObject({ client_grants: [{ id: ofOther }], start: 0, limit: 1, length: 1, total: 1 });
  });

  test("add a grant once for parallel requests", async () => {
    const responses = await Promise.all(Array.from({ length: 32 }, () => addGrant()));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(31).fill(409)]);
    expectError(await addGrant(), 409, "conflict");
    expect(await idsOf()).toEqual([grant]);
  });

  test.each<readonly [string, unknown, string]>([
    ["no grant", {}, "grant_id"],
    ["an empty id", { grant_id: "" }, "grant_id"],
    ["an id that is too long", { grant_id: "x".repeat(65) }, "grant_id"],
    ["a number", { grant_id: 7 }, "grant_id"],
    ["a list", { grant_ids: ["cgr_1"] }, "grant_id"],
    ["an unknown member", { grant_id: "cgr_1", scope: [] }, "scope"],
    ["a list as the body", [], "body"],
  ])("reject a body with %s", async (_, body, expectedText) => {
    expectError(await manage("POST", at(), body), 400, "invalid_request", expectedText);
  });

  test.each([
    ["grant_ids=", "grant_ids"],
    [Array.from({ length: 51 }, () => "grant_ids=cgr_1").join("&"), "grant_ids"],
    [`audience=${"x".repeat(601)}`, "audience"],
    [`client_id=${"x".repeat(121)}`, "client_id"],
    ["client_id=a&client_id=b", "client_id"],
    ["sort=id:1", "sort"],
  ])("reject an invalid %s of a list", async (query, expectedText) => {
    expectError(await manage("GET", `${at()}?${query}`), 400, "invalid_request", expectedText);
  });

  test("reject a grant for users, which never applies to organizations", async () => {
    const forUsers = await newGrant({ audience: api, scope: [], subject_type: "user" });
    expectError(await addGrant(forUsers), 400, "invalid_request", "users");
  });

  test("respond with 404 to unknown organizations and grants, and to those of another tenant", async () => {
    expect((await addGrant()).status).toBe(201);
    for (const id of ["cgr_none", "__proto__", "org_x"]) expectError(await addGrant(id), 404, "not_found", "grant_id");
    expectError(await addGrant(grant, unknown), 404, "not_found");
    expectError(await removeGrant(grant, unknown), 404, "not_found");
    expectError(await manage("GET", at(unknown)), 404, "not_found");
    expectError(await manage("GET", "/api/v2/client-grants/cgr_none/organizations"), 404, "not_found");

    const elsewhere = await managerOf(service, "main");
    const own = stringMember(await elsewhere.create("/api/v2/organizations", { name: "acme" }), "id");
    expectError(await elsewhere("POST", at(own), { grant_id: grant }), 404, "not_found", "grant_id");
    expectError(await elsewhere("POST", at(), { grant_id: grant }), 404, "not_found");
    expectError(await elsewhere("GET", at()), 404, "not_found");
    expectError(await elsewhere("GET", `/api/v2/client-grants/${grant}/organizations`), 404, "not_found");
    expect((await elsewhere("DELETE", `${at(own)}/${grant}`)).status).toBe(204);
    expectError(await elsewhere("DELETE", `${at()}/${grant}`), 404, "not_found");
    expect(await idsOf()).toEqual([grant]);
  });

  test("require their own scopes, and all Management API scopes of the grant", async () => {
    const ofManagement = await newGrant({ audience: managementAudience, scope: ["read:users", "delete:clients"] });
    const callers = async (...scope: readonly string[]) => {
      const token = await tokenWith(service, manage, scope);
      return (method: string, path: string, body?: unknown) => service.call(method, path, { token, ...(body !== undefined && { body }) });
    };
    const reader = await callers("read:organization_client_grants", "delete:client_grants", "create:client_grants");
    expect((await reader("GET", at())).status).toBe(200);
    expect((await reader("GET", `/api/v2/client-grants/${grant}/organizations`)).status).toBe(200);
    expectError(await reader("POST", at(), { grant_id: grant }), 403, "insufficient_scope", "create:organization_client_grants");
    expectError(await reader("DELETE", `${at()}/${grant}`), 403, "insufficient_scope", "delete:organization_client_grants");
    const writer = await callers("create:organization_client_grants", "read:users", "read:client_grants");
    expectError(await writer("GET", at()), 403, "insufficient_scope", "read:organization_client_grants");
    expectError(await writer("GET", `/api/v2/client-grants/${grant}/organizations`), 403, "insufficient_scope");
    expect((await writer("POST", at(), { grant_id: grant })).status).toBe(201);
    expectError(await writer("POST", at(), { grant_id: ofManagement }), 403, "insufficient_scope", "delete:clients");
    expect(await idsOf()).toEqual([grant]);
    const holder = await callers("create:organization_client_grants", "read:users", "delete:clients");
    expect((await holder("POST", at(), { grant_id: ofManagement })).status).toBe(201);
  });
});

describe("a client grant of the Management API", () => {
  test("can be extended only by a caller who holds all its scopes", async () => {
    const id = await newGrant({ audience: managementAudience, scope: ["read:users", "delete:clients"], organization_usage: "deny" });
    const path = `/api/v2/client-grants/${id}`;
    const token = await tokenWith(service, manage, ["update:client_grants", "read:users"]);
    const narrow = (body: object) => service.call("PATCH", path, { token, body });
    const expectRejected = async (body: object) => expectError(await narrow(body), 403, "insufficient_scope", "delete:clients");

    await expectRejected({ organization_usage: "allow" });
    await expectRejected({ organization_usage: "require" });
    // `allow_any_organization` has no effect while the grant denies organizations, so the scopes are not checked yet.
    expect((await narrow({ allow_any_organization: true })).status).toBe(200);
    await expectRejected({ organization_usage: "allow" });
    await change(id, { organization_usage: "require", allow_any_organization: false });
    await expectRejected({ organization_usage: "allow" });
    await expectRejected({ allow_any_organization: true });
    await expectRejected({ organization_usage: null });
    // Changes without effect, and reductions, require only the scope of the route.
    expect((await narrow({ organization_usage: "require", allow_any_organization: false, scope: ["read:users"] })).status).toBe(200);
  });
});

describe("a client credentials request", () => {
  test("gets a token for the organizations that its client grant was added to, by id or name, and for no others", async () => {
    const beta = stringMember(await manage.create("/api/v2/organizations", { name: "beta" }), "id");
    expectError(await request({ organization: acme }), 400, "access_denied", "organization");
    expect((await addGrant()).status).toBe(201);
    expect(decodeJwt(await tokenFor(acme))).toMatchObject({ org_id: acme, tenant_id: "other", scope: "run" });
    expect(decodeJwt(await tokenFor("ACME"))).toMatchObject({ org_id: acme, org_name: "acme" });
    expect(decodeJwt(await tokenFor())).not.toHaveProperty("org_id");
    for (const organization of [beta, "beta", unknown, "unknown"])
      expectError(await request({ organization }), 400, "access_denied", "organization");
  });

  test("gets a token for the default organization if the grant was added to it", async () => {
    const defaults = { default_organization: { organization_id: acme, flows: ["client_credentials"] } };
    jsonBody(await manage("PATCH", `/api/v2/clients/${String(client["client_id"])}`, defaults));
    expectError(await request(), 400, "access_denied", "organization");
    expect((await addGrant()).status).toBe(201);
    expect(decodeJwt(await tokenFor())).toMatchObject({ org_id: acme });
  });

  test("is rejected if the grant denies organizations, or if only a grant for another API was added", async () => {
    expect((await addGrant()).status).toBe(201);
    for (const organization_usage of ["deny", null]) {
      await change(grant, { organization_usage });
      expectError(await request({ organization: acme }), 400, "invalid_request", "organization");
    }
    await change(grant, { organization_usage: "allow" });
    await tokenFor(acme);
    await newGrant({ audience: managementAudience, scope: [] });
    expectError(await request({ organization: acme }, managementAudience), 400, "access_denied", "organization");
  });

  test("is rejected as soon as the grant is removed", async () => {
    expect((await addGrant()).status).toBe(201);
    await tokenFor(acme);
    expect((await removeGrant()).status).toBe(204);
    expectError(await request({ organization: acme }), 400, "access_denied", "organization");
  });

  test("is rejected for a recreated grant, because its id has changed", async () => {
    expect((await addGrant()).status).toBe(201);
    expect((await manage("DELETE", `/api/v2/client-grants/${grant}`)).status).toBe(204);
    const repeated = await newGrant({ audience: api, scope: ["run"] });
    expectError(await request({ organization: acme }), 400, "access_denied", "organization");
    expect(await idsOf()).toEqual([]);
    expect((await addGrant(repeated)).status).toBe(201);
  });
});

describe("a client credentials token of an organization", () => {
  const users = (token: string): Promise<ApiResponse> => service.call("GET", "/api/v2/users", { token });
  const introspect = async (token: string): Promise<unknown> => {
    const { client_id, client_secret } = client;
    return jsonBody(await service.call("POST", "/oauth/introspect", { body: { token, client_id, client_secret } }))["active"];
  };

  const invalidations: readonly (readonly [string, (grant: string) => Promise<unknown>])[] = [
    ["the grant was removed from the organization", (id) => removeGrant(id)],
    ["the organization was deleted", () => manage("DELETE", `/api/v2/organizations/${acme}`)],
    ["the grant was deleted", (id) => manage("DELETE", `/api/v2/client-grants/${id}`)],
    ["the grant denies organizations", (id) => change(id, { organization_usage: "deny" })],
  ];
  test.each(invalidations)("is invalid once %s", async (_, end) => {
    const { id, token } = await managing();
    expect((await users(token)).status).toBe(200);
    expect(await introspect(token)).toBe(true);
    await end(id);
    expectError(await users(token), 401, "invalid_token");
    expect(await introspect(token)).toBe(false);
  });

  test("stays valid while the grant allows any organization, until the organization is deleted", async () => {
    const { id, token } = await managing();
    await change(id, { allow_any_organization: true });
    expect((await removeGrant(id)).status).toBe(204);
    expect((await users(token)).status).toBe(200);
    expect((await manage("DELETE", `/api/v2/organizations/${acme}`)).status).toBe(204);
    expectError(await users(token), 401, "invalid_token");
  });

  test("becomes invalid without an organization once the grant requires one", async () => {
    const { id, token } = await managing();
    const bare = await tokenFor(undefined, managementAudience);
    expect((await users(bare)).status).toBe(200);
    await change(id, { organization_usage: "require" });
    expectError(await users(bare), 401, "invalid_token");
    expect(await introspect(bare)).toBe(false);
    expect((await users(token)).status).toBe(200);
  });

  test("becomes invalid within five seconds after another process removed the grant", async () => {
    const { id, token } = await managing();
    expect((await users(token)).status).toBe(200);
    const where = { tenant_id: "other", organization_id: acme, grant_id: id };
    expect(await service.data.collections.organization_client_grants.delete(where)).toBe(1);
    service.clock.advance("5s");
    expectError(await users(token), 401, "invalid_token");
  });
});

describe("a client of the control plane", () => {
  test("manages only the tenant whose organization its grant was added to, until it is removed", async () => {
    const plane = await managerOf(service, "main");
    const ofOther = stringMember(await plane.create("/api/v2/organizations", { name: "the-other" }), "id");
    const ofNobody = stringMember(await plane.create("/api/v2/organizations", { name: "a-customer" }), "id");
    expect(await service.data.collections.tenants.update({ id: "other" }, { set: { organization_id: ofOther } })).toBe(1);
    service.clock.advance("6s");
    client = await plane.create("/api/v2/clients", { name: "Provisioner", app_type: "non_interactive" });
    const grant_id = stringMember(
      await plane.create("/api/v2/client-grants", {
        client_id: client["client_id"],
        audience: managementAudience,
        scope: ["read:organizations"],
        organization_usage: "require",
      }),
      "id",
    );
    for (const organization of [ofOther, ofNobody]) await plane.create(at(organization), { grant_id });

    expectError(await request({}, managementAudience), 400, "invalid_request", "organization");
    const token = await tokenFor(ofOther, managementAudience);
    const organizations = (sent: string, headers = {}) => service.call("GET", "/api/v2/organizations", { token: sent, headers });
    expect(list(await organizations(token)).map(({ id }) => id)).toEqual([acme]);
    expectError(await organizations(token, { "tenant-id": "main" }), 403, "forbidden");
    expectError(await organizations(await tokenFor(ofNobody, managementAudience)), 403, "forbidden");
    expectError(await service.call("GET", "/api/v2/users", { token }), 403, "insufficient_scope");

    expect((await plane("DELETE", `${at(ofOther)}/${grant_id}`)).status).toBe(204);
    expectError(await organizations(token), 401, "invalid_token");
    expectError(await request({ organization: ofOther }, managementAudience), 400, "access_denied", "organization");
  });
});
