import { ManagementApiError, ManagementClient } from "auth0-4";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServedPostern } from "../support/http.ts";
import { clientSecret } from "../support/postern.ts";
import { serveTls } from "../support/tls.ts";

/** Version 4 of Auth0's Node SDK has other names, and requests lists page by page, with or without totals. */

const connection = "Username-Password-Authentication";
const api = "https://sdk-api.example.test/";

let service: ServedPostern;
let sdk: ManagementClient;

beforeAll(async () => {
  service = await serveTls();
  sdk = new ManagementClient({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
});

afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

const refusal = async (call: Promise<unknown>): Promise<ManagementApiError> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ManagementApiError) return error;
  throw new Error(`the SDK must throw a ManagementApiError: ${String(error)}`);
};

test("users", async () => {
  const { data: user } = await sdk.users.create({ connection, email: "ada@example.test", app_metadata: { plan: "pro" } });
  const id = user.user_id;
  expect((await sdk.users.get({ id })).data).toEqual(user);
  expect((await sdk.users.update({ id }, { user_metadata: { a: 1 } })).data).toMatchObject({
    user_metadata: { a: 1 },
    app_metadata: { plan: "pro" },
  });
  expect((await sdk.users.getAll({ q: "email:ada@example.test" })).data).toMatchObject([{ user_id: id }]);
  expect((await sdk.users.getAll({ include_totals: true, per_page: 1, page: 0 })).data).toMatchObject({ users: [{}], total: 1, start: 0 });
  expect((await sdk.usersByEmail.getByEmail({ email: "ada@example.test" })).data).toMatchObject([{ user_id: id }]);
  expect(await refusal(sdk.users.create({ connection, email: "ada@example.test" }))).toMatchObject({
    statusCode: 409,
    errorCode: "auth0_idp_error",
  });
  await sdk.users.delete({ id });
  expect(await refusal(sdk.users.get({ id }))).toMatchObject({ statusCode: 404, errorCode: "inexistent_user" });
});

test("clients, client grants and resource servers", async () => {
  const { data: server } = await sdk.resourceServers.create({ identifier: api, name: "API", scopes: [{ value: "a" }, { value: "b" }] });
  expect((await sdk.resourceServers.get({ id: api })).data).toEqual(server);
  expect((await sdk.resourceServers.update({ id: api }, { token_lifetime: 300 })).data).toMatchObject({ token_lifetime: 300 });
  expect((await sdk.resourceServers.getAll({ identifiers: [api], include_totals: true })).data).toMatchObject({ total: 1 });

  const { data: client } = await sdk.clients.create({ name: "Machine", app_type: "non_interactive" });
  const { client_id } = client;
  expect(client.client_secret).toMatch(/^.{48,}$/);
  expect((await sdk.clients.get({ client_id })).data).toMatchObject({ client_id, name: "Machine" });
  expect((await sdk.clients.update({ client_id }, { description: "Changed" })).data).toMatchObject({
    name: "Machine",
    description: "Changed",
  });
  expect((await sdk.clients.rotateClientSecret({ client_id })).data.client_secret).not.toBe(client.client_secret);
  expect((await sdk.clients.getAll({ per_page: 50 })).data.map((one) => one.client_id)).toContain(client_id);

  const { data: grant } = await sdk.clientGrants.create({ client_id, audience: api, scope: ["a"] });
  const { id } = grant;
  expect((await sdk.clientGrants.getAll({ client_id })).data).toEqual([grant]);
  expect((await sdk.clientGrants.getAll({ client_id, take: 1 })).data).toEqual({ client_grants: [grant] });
  expect((await sdk.clientGrants.update({ id }, { scope: ["a", "b"] })).data).toMatchObject({ scope: ["a", "b"] });
  const { data: organization } = await sdk.organizations.create({ name: "granted" });
  const { data: added } = await sdk.organizations.postOrganizationClientGrants({ id: organization.id }, { grant_id: id });
  expect(added).toMatchObject({ id, client_id, audience: api, scope: ["a", "b"] });
  const query = { id: organization.id, client_id, audience: api };
  expect((await sdk.organizations.getOrganizationClientGrants(query)).data).toEqual([added]);
  expect((await sdk.organizations.getOrganizationClientGrants({ ...query, include_totals: true })).data).toMatchObject({
    client_grants: [added],
    total: 1,
  });
  await sdk.organizations.deleteClientGrantsByGrantId({ id: organization.id, grant_id: id });
  expect((await sdk.organizations.getOrganizationClientGrants({ id: organization.id })).data).toEqual([]);
  await sdk.organizations.delete({ id: organization.id });
  await sdk.clientGrants.delete({ id });
  expect((await sdk.clientGrants.getAll({ client_id })).data).toEqual([]);
  await sdk.clients.delete({ client_id });
  expect(await refusal(sdk.clients.get({ client_id }))).toMatchObject({ statusCode: 404, errorCode: "inexistent_client" });
  await sdk.resourceServers.delete({ id: api });
  expect(await refusal(sdk.resourceServers.get({ id: api }))).toMatchObject({ errorCode: "inexistent_resource_server" });
});

test("connections", async () => {
  const { data: created } = await sdk.connections.create({ name: "staff", strategy: "auth0", options: { passwordPolicy: "good" } });
  const { id } = created;
  expect((await sdk.connections.get({ id })).data).toEqual(created);
  expect((await sdk.connections.update({ id }, { display_name: "Staff" })).data).toMatchObject({ name: "staff", display_name: "Staff" });
  expect((await sdk.connections.getAll({ strategy: ["auth0"] })).data.map(({ name }) => name)).toContain("staff");
  await sdk.connections.updateEnabledClients({ id }, [{ client_id: "main-manager", status: true }]);
  expect((await sdk.connections.getEnabledClients({ id })).data.clients).toEqual([{ client_id: "main-manager" }]);
  await sdk.connections.delete({ id });
  expect(await refusal(sdk.connections.get({ id }))).toMatchObject({ statusCode: 404, errorCode: "inexistent_connection" });
});

test("roles", async () => {
  await sdk.resourceServers.create({ identifier: `${api}roles`, name: "Roles", scopes: [{ value: "read" }] });
  const { data: role } = await sdk.roles.create({ name: "Editor", description: "Edits" });
  const { id } = role;
  expect((await sdk.roles.get({ id })).data).toEqual(role);
  expect((await sdk.roles.update({ id }, { description: "More" })).data).toEqual({ ...role, description: "More" });
  expect((await sdk.roles.getAll({ name_filter: "edit", include_totals: true })).data).toMatchObject({ total: 1, roles: [{ id }] });
  const permissions = [{ resource_server_identifier: `${api}roles`, permission_name: "read" }];
  await sdk.roles.addPermissions({ id }, { permissions });
  expect((await sdk.roles.getPermissions({ id })).data).toMatchObject(permissions);
  const { data: user } = await sdk.users.create({ connection, email: "editor@example.test" });
  await sdk.roles.assignUsers({ id }, { users: [user.user_id] });
  expect((await sdk.roles.getUsers({ id })).data).toMatchObject([{ user_id: user.user_id }]);
  expect((await sdk.users.getRoles({ id: user.user_id })).data).toMatchObject([{ id }]);
  expect((await sdk.users.getPermissions({ id: user.user_id })).data).toMatchObject(permissions);
  await sdk.users.deleteRoles({ id: user.user_id }, { roles: [id] });
  await sdk.roles.deletePermissions({ id }, { permissions });
  expect((await sdk.roles.getPermissions({ id })).data).toEqual([]);
  await sdk.roles.delete({ id });
  expect(await refusal(sdk.roles.get({ id }))).toMatchObject({ statusCode: 404 });
});

test("organizations", async () => {
  const { data: created } = await sdk.organizations.create({ name: "acme", display_name: "Acme", metadata: { tier: "gold" } });
  const { id } = created;
  expect((await sdk.organizations.get({ id })).data).toMatchObject({ name: "acme", metadata: { tier: "gold" } });
  expect((await sdk.organizations.getByName({ name: "acme" })).data).toMatchObject({ id });
  expect((await sdk.organizations.update({ id }, { display_name: "Acme Inc." })).data).toMatchObject({ display_name: "Acme Inc." });
  expect((await sdk.organizations.getAll({ include_totals: true })).data).toMatchObject({ total: 1, organizations: [{ id }] });

  const { data: user } = await sdk.users.create({ connection, email: "member@example.test" });
  const { data: role } = await sdk.roles.create({ name: "Member" });
  const member = { id, user_id: user.user_id };
  await sdk.organizations.addMembers({ id }, { members: [user.user_id] });
  await sdk.organizations.addMemberRoles(member, { roles: [role.id] });
  expect((await sdk.organizations.getMembers({ id })).data).toMatchObject([{ user_id: user.user_id }]);
  expect((await sdk.organizations.getMemberRoles(member)).data).toMatchObject([{ id: role.id }]);
  expect((await sdk.users.getUserOrganizations({ id: user.user_id })).data).toMatchObject([{ id }]);

  const { data: mail } = await sdk.connections.create({ name: "acme-mail", strategy: "email" });
  const { data: added } = await sdk.organizations.addEnabledConnection(
    { id },
    { connection_id: mail.id, assign_membership_on_login: true },
  );
  expect((await sdk.organizations.getEnabledConnections({ id })).data).toEqual([added]);
  await sdk.organizations.deleteEnabledConnection({ id, connectionId: mail.id });

  const body = { inviter: { name: "Ada" }, invitee: { email: "g@example.test" }, client_id: "main-manager", send_invitation_email: false };
  const { data: invitation } = await sdk.organizations.createInvitation({ id }, body);
  expect((await sdk.organizations.getInvitations({ id })).data).toEqual([invitation]);
  await sdk.organizations.deleteInvitation({ id, invitation_id: invitation.id });
  expect((await sdk.organizations.getInvitations({ id, include_totals: true })).data).toMatchObject({ invitations: [] });

  await sdk.organizations.deleteMemberRoles(member, { roles: [role.id] });
  await sdk.organizations.deleteMembers({ id }, { members: [user.user_id] });
  expect((await sdk.organizations.getMembers({ id })).data).toEqual([]);
  await sdk.organizations.delete({ id });
  expect(await refusal(sdk.organizations.get({ id }))).toMatchObject({ statusCode: 404 });
});

test("logs", async () => {
  const { data: found } = await sdk.logs.getAll({ per_page: 5, q: "type:sapi", sort: "date:-1" });
  expect(found.length).toBe(5);
  const [event] = found;
  expect((await sdk.logs.get({ id: event?.log_id ?? "" })).data).toEqual(event);
  expect((await sdk.logs.getAll({ per_page: 1, include_totals: true })).data).toMatchObject({ logs: [{}], limit: 1 });
});
