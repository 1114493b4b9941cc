import { beforeEach, expect, test } from "vitest";
import { tokenWith } from "../management/token-with.ts";
import { expectError, list, managerOf, object, text, type Manager } from "../support/api.ts";
import { createTestPostern, type Answer, type TestPostern } from "../support/postern.ts";

/** Members of a tenant's organization hold something in that tenant: nobody makes a member who holds more there than they do themselves. */

let service: TestPostern;
let main: Manager;
let organization: string;
let person: string;

beforeEach(async () => {
  service = await createTestPostern({ defaultPermissions: ["read:users", "update:users"], accessControl: { defaultRoles: ["Reader"] } });
  main = await managerOf(service, "main");
  const role = await main.create("/api/v2/roles", { name: "Reader" });
  const permissions = [{ resource_server_identifier: "https://id.example.test/api/v2/", permission_name: "read:logs" }];
  await main("POST", `/api/v2/roles/${text(role, "id")}/permissions`, { permissions });
  await main.create("/tenants", { id: "acme", name: "Acme" });
  organization = text(object(await main("GET", "/api/v2/organizations/name/acme")), "id");
  const body = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "a-long-Password-1" };
  person = text(await main.create("/api/v2/users", body), "user_id");
});

type Ways = { readonly [way: string]: (token: string) => Promise<Answer> };

const ways: Ways = {
  membership: (token) => service.call("POST", `/api/v2/organizations/${organization}/members`, { token, body: { members: [person] } }),
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
  "a connection that makes everybody a member": (token) => add(token, organization, true),
  "a connection that comes to make everybody a member": async (token) => {
    // Added once, and there already the second time.
    await add(await service.token(), organization, false);
    const [connection = {}] = list(await main("GET", `/api/v2/organizations/${organization}/enabled_connections`));
    const path = `/api/v2/organizations/${organization}/enabled_connections/${text(connection, "connection_id")}`;
    return service.call("PATCH", path, { token, body: { assign_membership_on_login: true } });
  },
  "a ticket for the password of a member": async (token) => {
    await main("POST", `/api/v2/organizations/${organization}/members`, { members: [person] });
    return service.call("POST", "/api/v2/tickets/password-change", { token, body: { user_id: person } });
  },
};

async function add(token: string, id: string, assign: boolean): Promise<Answer> {
  const [connection] = list(await main("GET", "/api/v2/connections"));
  const body = { connection_id: connection?.["id"], assign_membership_on_login: assign };
  return service.call("POST", `/api/v2/organizations/${id}/enabled_connections`, { token, body });
}

const connecting = ["create:organization_connections", "update:organization_connections"];
const own = [...connecting, "create:organization_members", "create:organization_invitations", "create:user_tickets"];

test.each(Object.entries(ways))("%s is given by nobody who lacks what its members hold there", async (_, give) => {
  const token = await tokenWith(service, main, [...own, "read:users"]);
  const refusal = expectError(await give(token), 403, "insufficient_scope", /update:users|read:logs/);
  expect(refusal["error_description"]).not.toContain("read:users");
  const whole = await tokenWith(service, main, [...own, "read:users", "update:users", "read:logs"]);
  expect((await give(whole)).status).toBeLessThan(300);
});

test("an organization that is no tenant's takes members from whoever may add them", async () => {
  const customer = text(await main.create("/api/v2/organizations", { name: "customer" }), "id");
  const token = await tokenWith(service, main, own);
  const answer = await service.call("POST", `/api/v2/organizations/${customer}/members`, { token, body: { members: [person] } });
  expect(answer.status).toBe(204);
  expect((await add(token, customer, true)).status).toBe(201);
});

test("a connection that makes nobody a member is added to a tenant's organization without what its members hold", async () => {
  expect((await add(await tokenWith(service, main, own), organization, false)).status).toBe(201);
});

test("an organization that is a tenant's is renamed by whoever may change tenants: its name may be the tenant's address", async () => {
  const rename = (token: string): Promise<Answer> =>
    service.call("PATCH", `/api/v2/organizations/${organization}`, { token, body: { name: "moved" } });
  expectError(await rename(await tokenWith(service, main, ["update:organizations"])), 403, "insufficient_scope", "update:tenants");
  const displayed = { token: await tokenWith(service, main, ["update:organizations"]), body: { name: "acme", display_name: "Acme Ltd" } };
  expect(await service.call("PATCH", `/api/v2/organizations/${organization}`, displayed)).toMatchObject({ status: 200 });
  expect(await rename(await tokenWith(service, main, ["update:organizations", "update:tenants"]))).toMatchObject({ status: 200 });
});
