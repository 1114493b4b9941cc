import { beforeEach, expect, test } from "vitest";
import { tokenWith } from "../management/token-with.ts";
import { expectRefusal, managerOf, object, text, type Manager } from "../support/api.ts";
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
  "a ticket for the password of a member": async (token) => {
    await main("POST", `/api/v2/organizations/${organization}/members`, { members: [person] });
    return service.call("POST", "/api/v2/tickets/password-change", { token, body: { user_id: person } });
  },
};

const own = ["create:organization_members", "create:organization_invitations", "create:user_tickets"];

test.each(Object.entries(ways))(
  "%s in a tenant's organization is given by nobody who lacks what its members hold there",
  async (_, give) => {
    const token = await tokenWith(service, main, [...own, "read:users"]);
    const refusal = expectRefusal(await give(token), 403, "insufficient_scope", /update:users|read:logs/);
    expect(refusal["error_description"]).not.toContain("read:users");
    const whole = await tokenWith(service, main, [...own, "read:users", "update:users", "read:logs"]);
    expect((await give(whole)).status).toBeLessThan(300);
  },
);

test("an organization that is no tenant's takes members from whoever may add them", async () => {
  const customer = text(await main.create("/api/v2/organizations", { name: "customer" }), "id");
  const token = await tokenWith(service, main, own);
  const answer = await service.call("POST", `/api/v2/organizations/${customer}/members`, { token, body: { members: [person] } });
  expect(answer.status).toBe(204);
});
