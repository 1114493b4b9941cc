import { beforeEach, expect, test } from "vitest";
import { tokenWith } from "../management/token-with.ts";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

/**
 * Members of a tenant's organization have scopes in that tenant. A caller cannot add a member who gains scopes that the
 * caller lacks.
 */

let service: TestPostern;
let main: Manager;
let organization: string;
let user: string;

beforeEach(async () => {
  service = await createTestPostern({ defaultPermissions: ["read:users", "update:users"], accessControl: { defaultRoles: ["Reader"] } });
  main = await managerOf(service, "main");
  const role = await main.create("/api/v2/roles", { name: "Reader" });
  const permissions = [{ resource_server_identifier: "https://id.example.test/api/v2/", permission_name: "read:logs" }];
  await main("POST", `/api/v2/roles/${stringMember(role, "id")}/permissions`, { permissions });
  await main.create("/tenants", { id: "acme", name: "Acme" });
  organization = stringMember(jsonBody(await main("GET", "/api/v2/organizations/name/acme")), "id");
  const body = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "a-long-Password-1" };
  user = stringMember(await main.create("/api/v2/users", body), "user_id");
});

type MembershipRequests = { readonly [recipient: string]: (token: string) => Promise<ApiResponse> };

const methods: MembershipRequests = {
  membership: (token) => service.call("POST", `/api/v2/organizations/${organization}/members`, { token, body: { members: [user] } }),
  "an invitation": async (token) => {
    const client = await main.create("/api/v2/clients", {
      name: "Console",
      app_type: "regular_web",
      initiate_login_uri: "https://app.example.test/login",
      organization_usage: "allow",
    });
    const body = {
      inviter: { name: "Ada" },
      invitee: { email: "bob@example.test" },
      client_id: client["client_id"],
      send_invitation_email: false,
    };
    return service.call("POST", `/api/v2/organizations/${organization}/invitations`, { token, body });
  },
  "adding a connection with automatic membership": (token) => add(token, organization, true),
  "enabling automatic membership of a connection": async (token) => {
    // The connection is added by the first call. In the second call it already exists.
    await add(await service.token(), organization, false);
    const [connection = {}] = list(await main("GET", `/api/v2/organizations/${organization}/enabled_connections`));
    const path = `/api/v2/organizations/${organization}/enabled_connections/${stringMember(connection, "connection_id")}`;
    return service.call("PATCH", path, { token, body: { assign_membership_on_login: true } });
  },
  "a password ticket for a member": async (token) => {
    await main("POST", `/api/v2/organizations/${organization}/members`, { members: [user] });
    return service.call("POST", "/api/v2/tickets/password-change", { token, body: { user_id: user } });
  },
};

async function add(token: string, id: string, assign: boolean): Promise<ApiResponse> {
  const [connection] = list(await main("GET", "/api/v2/connections"));
  const body = { connection_id: connection?.["id"], assign_membership_on_login: assign };
  return service.call("POST", `/api/v2/organizations/${id}/enabled_connections`, { token, body });
}

const connecting = ["create:organization_connections", "update:organization_connections"];
const own = [...connecting, "create:organization_members", "create:organization_invitations", "create:user_tickets"];

test.each(Object.entries(methods))("requires all scopes that members have in the tenant for %s", async (_, sendRequest) => {
  const token = await tokenWith(service, main, [...own, "read:users"]);
  const rejection = expectError(await sendRequest(token), 403, "insufficient_scope", /update:users|read:logs/);
  expect(rejection["error_description"]).not.toContain("read:users");
  const fullToken = await tokenWith(service, main, [...own, "read:users", "update:users", "read:logs"]);
  expect((await sendRequest(fullToken)).status).toBeLessThan(300);
});

test("adding members to an organization that does not represent a tenant requires only the scope of the route", async () => {
  const customer = stringMember(await main.create("/api/v2/organizations", { name: "customer" }), "id");
  const token = await tokenWith(service, main, own);
  const response = await service.call("POST", `/api/v2/organizations/${customer}/members`, { token, body: { members: [user] } });
  expect(response.status).toBe(204);
  expect((await add(token, customer, true)).status).toBe(201);
});

test("adding a connection without automatic membership to a tenant's organization does not require the scopes that its members have", async () => {
  expect((await add(await tokenWith(service, main, own), organization, false)).status).toBe(201);
});

test("renaming a tenant's organization requires update:tenants, because the name can be part of the tenant's URL", async () => {
  const rename = (token: string): Promise<ApiResponse> =>
    service.call("PATCH", `/api/v2/organizations/${organization}`, { token, body: { name: "moved" } });
  expectError(await rename(await tokenWith(service, main, ["update:organizations"])), 403, "insufficient_scope", "update:tenants");
  const displayed = { token: await tokenWith(service, main, ["update:organizations"]), body: { name: "acme", display_name: "Acme Ltd" } };
  expect(await service.call("PATCH", `/api/v2/organizations/${organization}`, displayed)).toMatchObject({ status: 200 });
  expect(await rename(await tokenWith(service, main, ["update:organizations", "update:tenants"]))).toMatchObject({ status: 200 });
});
