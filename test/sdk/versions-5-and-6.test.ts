import { ManagementClient as Client5, ManagementError as Error5 } from "auth0-5";
import { ManagementClient as Client6, ManagementError as Error6 } from "auth0-6";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServedPostern } from "../support/http.ts";
import { clientSecret } from "../support/postern.ts";
import { collectPages } from "../support/sdk.ts";
import { serveTls } from "../support/tls.ts";

const connection = "Username-Password-Authentication";
const api = "https://sdk-api.example.test/";

/** Both versions have the same methods, but expect different responses. */
describe.each([
  { version: 5, Client: Client5, ErrorClass: Error5 },
  { version: 6, Client: Client6, ErrorClass: Error6 },
])("version $version of Auth0's Node SDK", ({ Client, ErrorClass }) => {
  let service: ServedPostern;
  let sdk: Client5 | Client6;

  beforeAll(async () => {
    service = await serveTls();
    sdk = new Client({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
  });

  afterAll(async () => {
    await service.close();
    expect(service.faults).toEqual([]);
  });

  const refusal = async (call: Promise<unknown>): Promise<Error5 | Error6> => {
    const error: unknown = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ErrorClass) return error;
    throw new Error(`the SDK must throw a ManagementError: ${String(error)}`);
  };

  test("users", async () => {
    const user = await sdk.users.create({ connection, email: "ada@example.test", app_metadata: { plan: "pro" } });
    const id = user.user_id ?? "";
    expect(await sdk.users.get(id)).toEqual(user);
    expect(await sdk.users.update(id, { user_metadata: { a: 1 } })).toMatchObject({
      user_metadata: { a: 1 },
      app_metadata: { plan: "pro" },
    });
    for (let i = 0; i < 4; i++) await sdk.users.create({ connection, email: `more-${i}@example.test` });
    expect(await collectPages(sdk.users.list({ per_page: 2, sort: "email:1" }))).toMatchObject([{ user_id: id }, {}, {}, {}, {}]);
    expect(await sdk.users.listUsersByEmail({ email: "ada@example.test" })).toMatchObject([{ user_id: id }]);
    expect(await refusal(sdk.users.create({ connection, email: "ada@example.test" }))).toMatchObject({
      statusCode: 409,
      body: { errorCode: "auth0_idp_error" },
    });
    await sdk.users.delete(id);
    expect(await refusal(sdk.users.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_user" } });
  });

  test("clients, client grants and resource servers", async () => {
    const server = await sdk.resourceServers.create({ identifier: api, name: "API", scopes: [{ value: "a" }, { value: "b" }] });
    expect(await sdk.resourceServers.get(api)).toEqual(server);
    expect(await sdk.resourceServers.update(api, { token_lifetime: 300 })).toMatchObject({ token_lifetime: 300 });
    expect(await collectPages(sdk.resourceServers.list({ identifiers: [api] }))).toMatchObject([{ id: server.id }]);

    const client = await sdk.clients.create({ name: "Machine", app_type: "non_interactive" });
    const client_id = client.client_id ?? "";
    expect(await sdk.clients.get(client_id)).toMatchObject({ client_id, name: "Machine" });
    expect(await sdk.clients.update(client_id, { description: "Changed" })).toMatchObject({ name: "Machine", description: "Changed" });
    expect((await sdk.clients.rotateSecret(client_id)).client_secret).not.toBe(client.client_secret);
    expect((await collectPages(sdk.clients.list({ per_page: 1 }))).map((one) => one.client_id)).toContain(client_id);

    const grant = await sdk.clientGrants.create({ client_id, audience: api, scope: ["a"] });
    const id = grant.id ?? "";
    expect(await collectPages(sdk.clientGrants.list({ client_id, take: 1 }))).toEqual([grant]);
    expect(await sdk.clientGrants.update(id, { scope: ["a", "b"] })).toMatchObject({ scope: ["a", "b"] });
    const organization = (await sdk.organizations.create({ name: "granted" })).id ?? "";
    const added = await sdk.organizations.clientGrants.create(organization, { grant_id: id });
    expect(await collectPages(sdk.organizations.clientGrants.list(organization, { client_id }))).toEqual([added]);
    expect(await collectPages(sdk.clientGrants.organizations.list(id, { take: 1 }))).toMatchObject([{ id: organization, name: "granted" }]);
    await sdk.organizations.clientGrants.delete(organization, id);
    expect(await collectPages(sdk.organizations.clientGrants.list(organization))).toEqual([]);
    await sdk.organizations.delete(organization);
    await sdk.clientGrants.delete(id);
    expect(await collectPages(sdk.clientGrants.list({ client_id }))).toEqual([]);
    await sdk.clients.delete(client_id);
    expect(await refusal(sdk.clients.get(client_id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_client" } });
    await sdk.resourceServers.delete(api);
    expect(await refusal(sdk.resourceServers.get(api))).toMatchObject({ body: { errorCode: "inexistent_resource_server" } });
  });

  test("connections", async () => {
    const created = await sdk.connections.create({ name: "staff", strategy: "auth0", options: { passwordPolicy: "good" } });
    const id = created.id ?? "";
    expect(await sdk.connections.get(id)).toEqual(created);
    expect(await sdk.connections.update(id, { display_name: "Staff" })).toMatchObject({ name: "staff", display_name: "Staff" });
    expect((await collectPages(sdk.connections.list({ strategy: ["auth0"], take: 1 }))).map((one) => one.name)).toContain("staff");
    await sdk.connections.clients.update(id, [{ client_id: "main-manager", status: true }]);
    expect(await collectPages(sdk.connections.clients.get(id))).toEqual([{ client_id: "main-manager" }]);
    await sdk.connections.delete(id);
    expect(await refusal(sdk.connections.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_connection" } });
  });

  test("roles", async () => {
    await sdk.resourceServers.create({ identifier: `${api}roles`, name: "Roles", scopes: [{ value: "read" }] });
    const role = await sdk.roles.create({ name: "Editor", description: "Edits" });
    const id = role.id ?? "";
    expect(await sdk.roles.get(id)).toEqual(role);
    expect(await sdk.roles.update(id, { description: "More" })).toEqual({ ...role, description: "More" });
    expect(await collectPages(sdk.roles.list({ name_filter: "edit" }))).toMatchObject([{ id }]);
    const permissions = [{ resource_server_identifier: `${api}roles`, permission_name: "read" }];
    await sdk.roles.permissions.add(id, { permissions });
    expect(await collectPages(sdk.roles.permissions.list(id))).toMatchObject(permissions);
    const user = (await sdk.users.create({ connection, email: "editor@example.test" })).user_id ?? "";
    await sdk.roles.users.assign(id, { users: [user] });
    expect(await collectPages(sdk.roles.users.list(id, { take: 1 }))).toMatchObject([{ user_id: user }]);
    expect(await collectPages(sdk.users.roles.list(user))).toMatchObject([{ id }]);
    expect(await collectPages(sdk.users.permissions.list(user))).toMatchObject(permissions);
    await sdk.users.roles.delete(user, { roles: [id] });
    await sdk.roles.permissions.delete(id, { permissions });
    expect(await collectPages(sdk.roles.permissions.list(id))).toEqual([]);
    await sdk.roles.delete(id);
    expect(await refusal(sdk.roles.get(id))).toMatchObject({ statusCode: 404 });
  });

  test("organizations", async () => {
    const created = await sdk.organizations.create({ name: "acme", display_name: "Acme", metadata: { tier: "gold" } });
    const id = created.id ?? "";
    expect(await sdk.organizations.get(id)).toMatchObject({ name: "acme", metadata: { tier: "gold" } });
    expect(await sdk.organizations.getByName("acme")).toMatchObject({ id });
    expect(await sdk.organizations.update(id, { display_name: "Acme Inc." })).toMatchObject({ display_name: "Acme Inc." });
    expect(await collectPages(sdk.organizations.list({ take: 1 }))).toMatchObject([{ id }]);

    const user = (await sdk.users.create({ connection, email: "member@example.test" })).user_id ?? "";
    const role = (await sdk.roles.create({ name: "Member" })).id ?? "";
    await sdk.organizations.members.create(id, { members: [user] });
    await sdk.organizations.members.roles.assign(id, user, { roles: [role] });
    expect(await collectPages(sdk.organizations.members.list(id, { take: 1 }))).toMatchObject([{ user_id: user }]);
    expect(await collectPages(sdk.organizations.members.roles.list(id, user))).toMatchObject([{ id: role }]);
    expect(await collectPages(sdk.users.organizations.list(user))).toMatchObject([{ id }]);

    const mail = (await sdk.connections.create({ name: "acme-mail", strategy: "email" })).id ?? "";
    const added = await sdk.organizations.enabledConnections.add(id, { connection_id: mail, assign_membership_on_login: true });
    expect(await collectPages(sdk.organizations.enabledConnections.list(id))).toEqual([added]);
    await sdk.organizations.enabledConnections.delete(id, mail);

    const body = {
      inviter: { name: "Ada" },
      invitee: { email: "g@example.test" },
      client_id: "main-manager",
      send_invitation_email: false,
    };
    const invitation = await sdk.organizations.invitations.create(id, body);
    expect(await collectPages(sdk.organizations.invitations.list(id))).toEqual([invitation]);
    await sdk.organizations.invitations.delete(id, invitation.id ?? "");
    expect(await collectPages(sdk.organizations.invitations.list(id))).toEqual([]);

    await sdk.organizations.members.roles.delete(id, user, { roles: [role] });
    await sdk.organizations.members.delete(id, { members: [user] });
    expect(await collectPages(sdk.organizations.members.list(id))).toEqual([]);
    await sdk.organizations.delete(id);
    expect(await refusal(sdk.organizations.get(id))).toMatchObject({ statusCode: 404 });
  });

  test("logs", async () => {
    const { data } = await sdk.logs.list({ per_page: 5, search: "type:sapi", sort: "date:-1" });
    expect(data).toHaveLength(5);
    expect(await sdk.logs.get(data[0]?.log_id ?? "")).toEqual(data[0]);
  });
});
