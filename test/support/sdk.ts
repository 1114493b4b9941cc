import { generateKeyPairSync } from "node:crypto";
import type { DataAdapter } from "@postern/core/adapter";
import { ManagementClient, ManagementError } from "auth0";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonBody } from "./api.ts";
import type { ServedPostern } from "./http.ts";
import { clientSecret } from "./postern.ts";
import { insertConsent } from "./rows.ts";
import { callFactors } from "./sdk-factors.ts";
import { callMails } from "./sdk-mails.ts";
import { callPages } from "./sdk-pages.ts";
import { methodsOfSdk, recordCalls } from "./sdk-methods.ts";
import { serveTls } from "./tls.ts";

const connection = "Username-Password-Authentication";
const password = "Correct-horse-1";
const api = "https://sdk-api.example.test/";

/**
 * Adds the tests in which Auth0's Node SDK, unmodified, calls every supported route. `open` returns an empty, migrated
 * store.
 */
export function testSdk(open: () => Promise<DataAdapter>): void {
  let service: ServedPostern;
  let sdk: ManagementClient;
  const called = new Set<string>();

  const signIn = (): ManagementClient => {
    const domain = service.origin.slice("https://".length);
    return recordCalls(new ManagementClient({ domain, clientId: "main-manager", clientSecret, maxRetries: 0 }), called);
  };

  beforeAll(async () => {
    const data = await open();
    service = await serveTls(() => ({
      data,
      domainVerifier: { verify: async () => true },
      messages: { mail: { send: async () => {} } },
      network: { fetch: async ({ url }) => Response.json({ client_id: url, redirect_uris: ["https://agent.example.test/callback"] }) },
    }));
    sdk = signIn();
  });

  afterAll(async () => {
    await service.close();
    expect(service.faults).toEqual([]);
  });

  /** Creates a user, by default without a password, because hashing is slow. */
  const createUser = async (email: string, more: { readonly password?: string } = {}): Promise<string> =>
    named((await sdk.users.create({ connection, email, ...more })).user_id);

  /** Creates a client with the password grant. */
  const createClient = async (name: string): Promise<string> => {
    const made = await sdk.clients.create({
      name,
      app_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["password", "refresh_token"],
    });
    return named(made.client_id);
  };

  const tryPassword = (client_id: string, username: string, tried: string) =>
    service.call("POST", "/oauth/token", {
      body: { grant_type: "password", client_id, username, password: tried, scope: "openid offline_access" },
    });

  /** Registers and deletes a public key with a token of the user. */
  const registerPublicKey = async (client: string, user: string, email: string): Promise<void> => {
    const scopes = ["create:current_user_device_credentials", "delete:current_user_device_credentials"];
    const permissions = scopes.map((name) => ({ resource_server_identifier: `${service.origin}/api/v2/`, permission_name: name }));
    await sdk.users.permissions.create(user, { permissions });
    const domain = service.origin.slice("https://".length);
    const body = { grant_type: "password", client_id: client, username: email, password, audience: `${service.origin}/api/v2/` };
    const { access_token: token } = jsonBody(await service.call("POST", "/oauth/token", { body: { ...body, scope: scopes.join(" ") } }));
    const own = recordCalls(new ManagementClient({ domain, token: String(token), maxRetries: 0 }), called);
    const { id } = await own.deviceCredentials.createPublicKey({
      device_name: "Phone",
      type: "public_key",
      value: "key",
      device_id: "0a1b",
    });
    const list = { user_id: user, type: "public_key" } as const;
    expect(await collectPages(sdk.deviceCredentials.list(list))).toMatchObject([{ id, device_id: "0a1b", client_id: client }]);
    await own.deviceCredentials.delete(id);
    expect(await collectPages(sdk.deviceCredentials.list(list))).toEqual([]);
  };

  test("Auth0's SDK manages tickets and jobs", async () => {
    const user_id = await createUser("tickets@example.test");
    const verify = await sdk.tickets.verifyEmail({ user_id, ttl_sec: 60 });
    expect(verify.ticket).toMatch(/\/u\/verify-email\?ticket=main\./);
    const change = await sdk.tickets.changePassword({ user_id, mark_email_as_verified: true });
    expect(change.ticket).toMatch(/\/u\/reset-password\?ticket=main\..*#$/);
    const job = await sdk.jobs.verificationEmail.create({ user_id });
    expect(await sdk.jobs.get(named(job.id))).toMatchObject({ type: "verification_email", status: "completed" });
    const [database] = await collectPages(sdk.connections.list({ strategy: ["auth0"] }));
    const users = new Blob([JSON.stringify([{ email: "imported@example.test" }, { email: "none" }])], { type: "application/json" });
    const imported = await sdk.jobs.usersImports.create({ users, connection_id: named(database?.id), upsert: true });
    expect(await sdk.jobs.get(named(imported.id))).toMatchObject({ type: "users_import", summary: { inserted: 1, failed: 1 } });
    expect(await sdk.jobs.errors.get(named(imported.id))).toMatchObject([
      { user: { email: "none" }, errors: [{ code: "INVALID_FORMAT" }] },
    ]);
    const exported = await sdk.jobs.usersExports.create({ format: "json", limit: 2, fields: [{ name: "email" }] });
    expect((await sdk.jobs.get(named(exported.id))).location).toContain("?ticket=main.");
  });

  test("Auth0's SDK manages log streams", async () => {
    const made = await sdk.logStreams.create({
      type: "http",
      name: "SIEM",
      sink: { httpEndpoint: "https://siem.example/logs", httpAuthorization: "x" },
    });
    const id = named(made.id);
    expect(await sdk.logStreams.get(id)).toMatchObject({
      type: "http",
      status: "active",
      sink: { httpEndpoint: "https://siem.example/logs" },
    });
    expect((await sdk.logStreams.list()).map((one) => one.id)).toContain(id);
    expect(await sdk.logStreams.update(id, { status: "paused", filters: [{ type: "category", name: "auth.login.fail" }] })).toMatchObject({
      status: "paused",
    });
    await sdk.logStreams.delete(id);
    expect(await rejectionOf(sdk.logStreams.get(id))).toMatchObject({ statusCode: 404 });
  });

  test("Auth0's SDK manages users", async () => {
    const user = await sdk.users.create({ connection, email: "Ada@example.test", app_metadata: { plan: "pro" } });
    const id = named(user.user_id);
    expect(user).toMatchObject({ email: "ada@example.test", email_verified: false, identities: [{ connection, isSocial: false }] });
    expect(await sdk.users.get(id)).toEqual(user);
    expect(await sdk.users.get(id, { fields: "email", include_fields: true })).toEqual({ email: "ada@example.test" });
    expect(await sdk.users.update(id, { user_metadata: { a: 1 }, blocked: true })).toMatchObject({
      user_id: id,
      blocked: true,
      user_metadata: { a: 1 },
      app_metadata: { plan: "pro" },
    });
    expect(await collectPages(sdk.users.list({ q: `email:"ada@example.test"`, sort: "created_at:-1" }))).toMatchObject([{ user_id: id }]);
    expect(await sdk.users.listUsersByEmail({ email: "ADA@example.test" })).toMatchObject([{ user_id: id }]);
    expect(await rejectionOf(sdk.users.create({ connection, email: "ada@example.test" }))).toMatchObject({
      statusCode: 409,
      body: { errorCode: "auth0_idp_error" },
    });
    await sdk.users.delete(id);
    expect(await rejectionOf(sdk.users.get(id))).toMatchObject({
      statusCode: 404,
      body: { errorCode: "inexistent_user", statusCode: 404 },
    });
  });

  test("Auth0's SDK manages linked accounts", async () => {
    const [id, other] = [await createUser("first@example.test"), await createUser("second@example.test")];
    const bare = other.slice(other.indexOf("|") + 1);
    const linked = await sdk.users.identities.link(id, { provider: "auth0", user_id: other });
    expect(linked).toMatchObject([{ connection }, { connection, user_id: bare, profileData: { email: "second@example.test" } }]);
    expect(await sdk.users.get(id)).toMatchObject({ identities: [{ connection }, { user_id: bare }] });
    expect(await rejectionOf(sdk.users.get(other))).toMatchObject({ statusCode: 404 });
    expect(await sdk.users.identities.delete(id, "auth0", bare)).toMatchObject([{ connection }]);
    expect(await sdk.users.get(other)).toMatchObject({ email: "second@example.test" });
  });

  test("Auth0's SDK gets empty lists for resources that are not supported", async () => {
    const id = named((await sdk.organizations.create({ name: "without" })).id);
    for (const list of [
      sdk.actions.list(),
      sdk.userAttributeProfiles.list(),
      sdk.connectionProfiles.list(),
      sdk.tokenExchangeProfiles.list(),
      sdk.organizations.clients.list(id),
      sdk.organizations.discoveryDomains.list(id),
      sdk.actions.triggers.bindings.list("post-login"),
      sdk.forms.list({ hydrate: ["flow_count", "links"] }),
      sdk.flows.list(),
      sdk.flows.vault.connections.list(),
      sdk.networkAcls.list(),
      sdk.selfServiceProfiles.list(),
    ]) {
      expect((await list).data).toEqual([]);
    }
    expect(await sdk.branding.phone.providers.list({ disabled: false })).toEqual({ providers: [] });
    expect(await sdk.branding.phone.templates.list()).toEqual({ templates: [] });
    await sdk.organizations.delete(id);
  });

  test("Auth0's SDK manages roles and permissions", async () => {
    await sdk.resourceServers.create({ identifier: `${api}roles`, name: "Roles", scopes: [{ value: "read" }, { value: "write" }] });
    const role = await sdk.roles.create({ name: "Editor", description: "Edits" });
    const id = named(role.id);
    expect(await sdk.roles.get(id)).toEqual(role);
    expect(await sdk.roles.update(id, { description: "Edits more" })).toEqual({ ...role, description: "Edits more" });
    expect(await collectPages(sdk.roles.list({ name_filter: "edit" }))).toMatchObject([{ id, name: "Editor" }]);

    const permission = (permission_name: string) => ({ resource_server_identifier: `${api}roles`, permission_name });
    await sdk.roles.permissions.add(id, { permissions: [permission("read"), permission("write")] });
    expect(await collectPages(sdk.roles.permissions.list(id, { per_page: 1 }))).toMatchObject([permission("read"), permission("write")]);
    await sdk.roles.permissions.delete(id, { permissions: [permission("write")] });
    expect(await collectPages(sdk.roles.permissions.list(id))).toMatchObject([{ ...permission("read"), resource_server_name: "Roles" }]);

    const [user, other] = [await createUser("editor@example.test"), await createUser("other@example.test")];
    await sdk.roles.users.assign(id, { users: [user] });
    await sdk.users.roles.assign(other, { roles: [id] });
    expect((await collectPages(sdk.roles.users.list(id, { take: 1 }))).map((one) => one.user_id).toSorted(byText)).toEqual(
      [user, other].toSorted(byText),
    );
    expect(await collectPages(sdk.users.roles.list(user))).toMatchObject([{ id, name: "Editor" }]);
    expect(await collectPages(sdk.users.effectiveRoles.list(user, { take: 1 }))).toMatchObject([
      { id, name: "Editor", sources: ["direct"] },
    ]);
    await sdk.users.permissions.create(user, { permissions: [permission("write")] });
    expect(await collectPages(sdk.users.permissions.list(user))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ permission_name: "write", sources: [expect.objectContaining({ source_type: "DIRECT" })] }),
        expect.objectContaining({ permission_name: "read", sources: [{ source_type: "ROLE", source_id: id, source_name: "Editor" }] }),
      ]),
    );
    const ofApi = { resource_server_identifier: `${api}roles` };
    expect(await collectPages(sdk.users.effectivePermissions.list(user, { ...ofApi, take: 1 }))).toEqual([
      expect.objectContaining({ ...permission("write"), sources: ["direct"] }),
      expect.objectContaining({ ...permission("read"), sources: ["roles"] }),
    ]);
    const granting = sdk.users.effectivePermissions.sources.roles.list(user, permission("read"));
    expect(await collectPages(granting)).toMatchObject([{ id, name: "Editor" }]);
    await sdk.users.permissions.delete(user, { permissions: [permission("write")] });
    expect(await collectPages(sdk.users.permissions.list(user))).toMatchObject([permission("read")]);
    await sdk.users.roles.delete(user, { roles: [id] });
    expect(await collectPages(sdk.users.roles.list(user))).toEqual([]);
    await sdk.roles.delete(id);
    expect(await rejectionOf(sdk.roles.get(id))).toMatchObject({ statusCode: 404 });
  });

  test("Auth0's SDK manages organizations, their members and their connections", async () => {
    const made = await sdk.organizations.create({
      name: "acme",
      display_name: "Acme",
      branding: { logo_url: "https://cdn.example.test/acme.png", colors: { primary: "#112233", page_background: "#ffffff" } },
      metadata: { tier: "gold" },
    });
    const id = named(made.id);
    expect(await sdk.organizations.get(id)).toMatchObject({ id, name: "acme", metadata: { tier: "gold" } });
    expect(await sdk.organizations.getByName("acme")).toMatchObject({ id, branding: { colors: { primary: "#112233" } } });
    expect(await sdk.organizations.update(id, { display_name: "Acme Inc." })).toMatchObject({
      name: "acme",
      display_name: "Acme Inc.",
      metadata: { tier: "gold" },
    });
    expect(await collectPages(sdk.organizations.list({ take: 1 }))).toMatchObject([{ id }]);
    expect(await collectPages(sdk.organizations.search({ q: "name:acm*", parser: "lucene", sort: "name" }))).toMatchObject([{ id }]);

    const user = await createUser("member@example.test");
    const role = named((await sdk.roles.create({ name: "Member" })).id);
    await sdk.organizations.members.create(id, { members: [user] });
    await sdk.organizations.members.roles.assign(id, user, { roles: [role] });
    expect(await collectPages(sdk.organizations.members.roles.list(id, user))).toMatchObject([{ id: role, name: "Member" }]);
    expect(await collectPages(sdk.organizations.members.list(id, { take: 1, fields: "user_id,roles", include_fields: true }))).toEqual([
      { user_id: user, roles: [{ id: role, name: "Member" }] },
    ]);
    expect(await collectPages(sdk.users.organizations.list(user))).toMatchObject([{ id, name: "acme" }]);
    await sdk.organizations.members.roles.delete(id, user, { roles: [role] });
    expect(await collectPages(sdk.organizations.members.roles.list(id, user))).toEqual([]);
    await sdk.organizations.members.delete(id, { members: [user] });
    expect(await collectPages(sdk.organizations.members.list(id))).toEqual([]);

    const { id: connectionId = "" } = await sdk.connections.create({ name: "acme-mail", strategy: "email" });
    const flags = { assign_membership_on_login: true, show_as_button: true, is_signup_enabled: false };
    const added = await sdk.organizations.enabledConnections.add(id, { connection_id: connectionId, assign_membership_on_login: true });
    expect(added).toEqual({ connection_id: connectionId, ...flags, connection: { name: "acme-mail", strategy: "email" } });
    expect(await sdk.organizations.enabledConnections.get(id, connectionId)).toEqual(added);
    const changed = { ...added, show_as_button: false };
    expect(await sdk.organizations.enabledConnections.update(id, connectionId, { show_as_button: false })).toEqual(changed);
    expect(await collectPages(sdk.organizations.enabledConnections.list(id))).toEqual([changed]);
    await sdk.organizations.enabledConnections.delete(id, connectionId);
    expect(await collectPages(sdk.organizations.enabledConnections.list(id))).toEqual([]);
    expect(await sdk.organizations.connections.create(id, { connection_id: connectionId, assign_membership_on_login: true })).toEqual(
      added,
    );
    expect(await sdk.organizations.connections.get(id, connectionId)).toEqual(added);
    expect(await sdk.organizations.connections.update(id, connectionId, { show_as_button: false })).toEqual(changed);
    expect(await collectPages(sdk.organizations.connections.list(id, { is_enabled: true }))).toEqual([changed]);
    await sdk.organizations.connections.delete(id, connectionId);
    expect(await collectPages(sdk.organizations.connections.list(id))).toEqual([]);

    const client = await createClient("Inviting");
    const body = { inviter: { name: "Ada" }, invitee: { email: "guest@example.test" }, client_id: client, send_invitation_email: false };
    const invitation = await sdk.organizations.invitations.create(id, body);
    const invitationId = named(invitation.id);
    expect(invitation).toMatchObject({ organization_id: id, inviter: { name: "Ada" }, invitee: { email: "guest@example.test" } });
    expect(invitation.invitation_url).toContain(`ticket=${encodeURIComponent(named(invitation.ticket_id))}`);
    expect(await sdk.organizations.invitations.get(id, invitationId)).toEqual(invitation);
    expect(await collectPages(sdk.organizations.invitations.list(id, { sort: "created_at:1" }))).toEqual([invitation]);
    await sdk.organizations.invitations.delete(id, invitationId);
    expect(await rejectionOf(sdk.organizations.invitations.get(id, invitationId))).toMatchObject({
      statusCode: 404,
      body: { errorCode: "inexistent_invitation" },
    });
    await sdk.organizations.delete(id);
    expect(await rejectionOf(sdk.organizations.get(id))).toMatchObject({ statusCode: 404 });
  });

  test("Auth0's SDK manages clients, their credentials and their connections", async () => {
    const made = await sdk.clients.create({ name: "Web", app_type: "regular_web", callbacks: ["https://a.example.test/cb"] });
    const id = named(made.client_id);
    expect(made.client_secret).toMatch(/^.{48,}$/);
    expect(await sdk.clients.get(id)).toMatchObject({ client_id: id, name: "Web", tenant: "main", global: false });
    expect(await sdk.clients.update(id, { description: "Changed" })).toMatchObject({
      description: "Changed",
      callbacks: ["https://a.example.test/cb"],
    });
    expect((await sdk.clients.rotateSecret(id)).client_secret).not.toBe(made.client_secret);
    const external_client_id = "https://agent.example.test/client.json";
    expect(await sdk.clients.previewCimdMetadata({ external_client_id })).toMatchObject({ validation: { valid: true } });
    const { client_id: external } = await sdk.clients.registerCimdClient({ external_client_id });
    expect(await sdk.clients.get(named(external))).toMatchObject({ external_client_id, external_metadata_type: "cimd" });
    expect((await collectPages(sdk.clients.list({ per_page: 1 }))).map((one) => one.client_id)).toContain(id);

    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    const key = await sdk.clients.credentials.create(id, { credential_type: "public_key", name: "Key", pem, alg: "RS256" });
    const keyId = named(key.id);
    expect(key).toMatchObject({ name: "Key", credential_type: "public_key", alg: "RS256", kid: expect.any(String) });
    expect(await sdk.clients.credentials.list(id)).toEqual([key]);
    expect(await sdk.clients.credentials.get(id, keyId)).toEqual(key);
    const expiry = new Date(Date.now() + 86_400_000).toISOString();
    expect(await sdk.clients.credentials.update(id, keyId, { expires_at: expiry })).toMatchObject({ expires_at: expiry });
    await sdk.clients.credentials.delete(id, keyId);
    expect(await sdk.clients.credentials.list(id)).toEqual([]);

    const { id: connectionId = "" } = await sdk.connections.create({ name: "web-mail", strategy: "email" });
    expect((await collectPages(sdk.clients.connections.get(id, { take: 1 }))).map((one) => one.id)).toContain(connectionId);
    await sdk.connections.clients.update(connectionId, [{ client_id: id, status: false }]);
    expect((await collectPages(sdk.clients.connections.get(id))).map((one) => one.id)).not.toContain(connectionId);
    expect((await collectPages(sdk.connections.clients.get(connectionId, { take: 1 }))).map((one) => one.client_id)).not.toContain(id);

    await sdk.clients.delete(id);
    expect(await rejectionOf(sdk.clients.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_client" } });
  });

  test("Auth0's SDK manages connections", async () => {
    const made = await sdk.connections.create({ name: "staff", strategy: "auth0", options: { passwordPolicy: "good" } });
    const id = named(made.id);
    expect(made).toMatchObject({ name: "staff", strategy: "auth0", options: { passwordPolicy: "good" } });
    expect(await sdk.connections.get(id)).toEqual(made);
    expect(await sdk.connections.update(id, { display_name: "Staff", metadata: { a: "1" } })).toMatchObject({
      name: "staff",
      display_name: "Staff",
      metadata: { a: "1" },
    });
    expect((await collectPages(sdk.connections.list({ strategy: ["auth0"], take: 1 }))).map((one) => one.name)).toContain("staff");
    await sdk.connections.delete(id);
    expect(await rejectionOf(sdk.connections.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_connection" } });
  });

  test("Auth0's SDK manages user consents", async () => {
    const user_id = await createUser("consenting@example.test");
    const others = await createUser("agreeing@example.test");
    const clientId = await createClient("Third party");
    const scope = ["read:orders"];
    for (const audience of [`${api}a`, `${api}b`, `${api}c`])
      await insertConsent(service, "main", { userId: user_id, clientId, audience, scope });
    await insertConsent(service, "main", { userId: others, clientId, audience: `${api}a`, scope });
    const found = async () => collectPages(sdk.userGrants.list({ user_id, per_page: 2 }));
    const [grant = {}] = await found();
    expect(grant).toEqual({ id: expect.any(String), clientID: clientId, user_id, audience: expect.stringContaining(api), scope });
    expect(await found()).toHaveLength(3);
    expect(await collectPages(sdk.userGrants.list({ client_id: clientId, audience: `${api}a` }))).toHaveLength(2);
    await sdk.userGrants.delete(named(grant.id));
    expect(await found()).toHaveLength(2);
    await sdk.userGrants.deleteByUserId({ user_id });
    expect(await found()).toEqual([]);
    expect(await collectPages(sdk.userGrants.list({ client_id: clientId }))).toMatchObject([{ user_id: others }]);
  });

  test("Auth0's SDK manages resource servers and client grants", async () => {
    const identifier = `${api}grants`;
    const made = await sdk.resourceServers.create({ identifier, name: "Grants", scopes: [{ value: "a" }, { value: "b" }] });
    expect(await sdk.resourceServers.get(identifier)).toEqual(made);
    expect(await sdk.resourceServers.update(identifier, { token_lifetime: 300 })).toMatchObject({ token_lifetime: 300, name: "Grants" });
    expect(await collectPages(sdk.resourceServers.search({ q: "name:Gran*", sort: "name", take: 1 }))).toMatchObject([{ identifier }]);
    expect(await collectPages(sdk.resourceServers.list({ identifiers: [identifier], per_page: 1 }))).toMatchObject([
      { id: made.id, identifier },
    ]);

    const client = await sdk.clients.create({ name: "Granted", app_type: "non_interactive" });
    const client_id = named(client.client_id);
    const grant = await sdk.clientGrants.create({ client_id, audience: identifier, scope: ["a"] });
    const id = named(grant.id);
    expect(grant).toMatchObject({ client_id, audience: identifier, scope: ["a"] });
    expect(await sdk.clientGrants.get(id)).toEqual(grant);
    expect(await sdk.clientGrants.update(id, { scope: ["a", "b"] })).toMatchObject({ scope: ["a", "b"] });
    expect((await collectPages(sdk.clientGrants.list({ client_id, take: 1 }))).map((one) => one.id)).toEqual([id]);
    const organization = named((await sdk.organizations.create({ name: "granted", display_name: "Granted" })).id);
    const result = await sdk.organizations.clientGrants.create(organization, { grant_id: id });
    expect(result).toMatchObject({ id, client_id, audience: identifier, scope: ["a", "b"], allow_any_organization: false });
    expect(
      await collectPages(
        sdk.organizations.clientGrants.list(organization, { client_id, audience: identifier, grant_ids: [id, "cgr_none"] }),
      ),
    ).toEqual([result]);
    expect(await collectPages(sdk.clientGrants.organizations.list(id, { take: 1 }))).toEqual([
      { id: organization, name: "granted", display_name: "Granted" },
    ]);
    await sdk.organizations.clientGrants.delete(organization, id);
    expect(await collectPages(sdk.organizations.clientGrants.list(organization))).toEqual([]);
    await sdk.organizations.delete(organization);
    await sdk.clientGrants.delete(id);
    expect(await rejectionOf(sdk.clientGrants.get(id))).toMatchObject({ statusCode: 404, body: { errorCode: "inexistent_client_grant" } });
    await sdk.resourceServers.delete(named(made.id));
    expect(await rejectionOf(sdk.resourceServers.get(identifier))).toMatchObject({ body: { errorCode: "inexistent_resource_server" } });
  });

  test("Auth0's SDK manages sessions and refresh tokens", async () => {
    const user = await createUser("sessions@example.test", { password });
    const client = await createClient("Native");
    for (let i = 0; i < 3; i++) jsonBody(await tryPassword(client, "sessions@example.test", password));
    const sessions = await collectPages(sdk.users.sessions.list(user, { take: 2 }));
    expect(sessions).toHaveLength(3);
    const [first, second] = sessions.map(({ id }) => named(id));
    if (first === undefined || second === undefined) throw new Error("no sessions");
    expect(await sdk.sessions.get(first)).toMatchObject({ id: first, user_id: user, clients: [{ client_id: client }] });
    expect(await sdk.sessions.update(first, { session_metadata: { a: 1 } })).toMatchObject({ session_metadata: { a: 1 } });
    await sdk.sessions.delete(first);
    await sdk.sessions.revoke(second);
    expect(await rejectionOf(sdk.sessions.get(first))).toMatchObject({ statusCode: 404 });

    const tokens = await collectPages(sdk.users.refreshToken.list(user, { take: 2 }));
    expect(tokens).toHaveLength(3);
    const id = named(tokens[0]?.id);
    expect(await sdk.refreshTokens.get(id)).toMatchObject({ id, user_id: user, client_id: client, rotating: expect.any(Boolean) });
    expect(await sdk.refreshTokens.update(id, { refresh_token_metadata: { b: 2 } })).toMatchObject({ refresh_token_metadata: { b: 2 } });
    const inUse = await sdk.refreshTokens.list({ user_id: user, client_id: client });
    expect(inUse.data).toHaveLength(1);
    await sdk.refreshTokens.revoke({ user_id: user, client_id: client, audience: "https://unknown.example.test/" });
    expect((await sdk.refreshTokens.list({ user_id: user })).data).toHaveLength(1);
    await sdk.refreshTokens.revoke({ ids: inUse.data.map((token) => named(token.id)) });
    expect((await sdk.refreshTokens.list({ user_id: user })).data).toEqual([]);
    jsonBody(await tryPassword(client, "sessions@example.test", password));
    await sdk.refreshTokens.delete(id);
    expect(await rejectionOf(sdk.refreshTokens.get(id))).toMatchObject({ statusCode: 404 });
    const credentials = await collectPages(sdk.deviceCredentials.list({ user_id: user, client_id: client }));
    expect(credentials.map(({ type, user_id, client_id }) => ({ type, user_id, client_id }))).toEqual(
      credentials.map(() => ({ type: expect.stringMatching(/refresh_token$/), user_id: user, client_id: client })),
    );
    await sdk.deviceCredentials.delete(named(credentials[0]?.id));
    expect(await collectPages(sdk.deviceCredentials.list({ user_id: user }))).toEqual(credentials.slice(1));
    await registerPublicKey(client, user, "sessions@example.test");
    await sdk.users.refreshToken.delete(user);
    expect(await collectPages(sdk.users.refreshToken.list(user))).toHaveLength(2);
    await sdk.users.revokeAccess(user, { session_id: second, preserve_refresh_tokens: true });
    await sdk.users.sessions.delete(user);
    expect(await collectPages(sdk.users.sessions.list(user))).toEqual([]);
  });

  test("Auth0's SDK manages blocks of users who failed to sign in", async () => {
    const email = "blocked@example.test";
    const user = await createUser(email, { password });
    const client = await createClient("Failing");
    const fail = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) expect(await tryPassword(client, email, "wrong")).toMatchObject({ status: 403 });
    };
    const blocked = { blocked_for: [{ identifier: email, connection }] };
    await fail();
    const events = await collectPages(sdk.users.logs.list(user, { per_page: 2, sort: "date:-1" }));
    expect(events.length).toBeGreaterThanOrEqual(3);
    expect(new Set(events.map((event) => event.user_id))).toEqual(new Set([user]));
    expect(await sdk.userBlocks.list(user)).toEqual(blocked);
    await sdk.userBlocks.delete(user);
    expect(await sdk.userBlocks.list(user)).toEqual({ blocked_for: [] });
    await fail();
    expect(await sdk.userBlocks.listByIdentifier({ identifier: email })).toEqual(blocked);
    await sdk.userBlocks.deleteByIdentifier({ identifier: email });
    jsonBody(await tryPassword(client, email, password));
  });

  test("Auth0's SDK manages branding, attack protection and tenant settings", async () => {
    const logo_url = "https://cdn.example.test/logo.png";
    expect(await sdk.branding.update({ colors: { primary: "#112233" }, logo_url })).toMatchObject({ logo_url });
    expect(await sdk.branding.get()).toMatchObject({ colors: { primary: "#112233" }, logo_url });
    const { bruteForceProtection, suspiciousIpThrottling } = sdk.attackProtection;
    const bruteForce = await bruteForceProtection.update({ max_attempts: 7, allowlist: ["192.0.2.1"] });
    expect(bruteForce).toMatchObject({ max_attempts: 7, allowlist: ["192.0.2.1"], enabled: true });
    expect(await bruteForceProtection.get()).toEqual(bruteForce);
    const throttling = await suspiciousIpThrottling.update({ stage: { "pre-login": { max_attempts: 9, rate: 34_560 } } });
    expect(throttling).toMatchObject({ enabled: true, stage: { "pre-login": { max_attempts: 9, rate: 34_560 } } });
    expect(await suspiciousIpThrottling.get()).toEqual(throttling);
    const { breachedPasswordDetection } = sdk.attackProtection;
    const breached = await breachedPasswordDetection.update({ stage: { "pre-change-password": { shields: [] } } });
    expect(breached).toMatchObject({ enabled: false, stage: { "pre-change-password": { shields: [] } } });
    expect(await breachedPasswordDetection.get()).toEqual(breached);
    const settings = await sdk.tenants.settings.update({ friendly_name: "Renamed" });
    expect(settings).toMatchObject({ friendly_name: "Renamed", session_lifetime: 168 });
    expect(await sdk.tenants.settings.get()).toEqual(settings);
  });

  test("Auth0's SDK manages themes, templates, prompts and their texts", () => callPages(sdk));

  test("Auth0's SDK manages factors", async () => callFactors(sdk, await createUser("factors@example.test")));

  test("Auth0's SDK manages the mail provider and mail templates", () => callMails(sdk));

  test("Auth0's SDK manages custom domains", async () => {
    const made = await sdk.customDomains.create({ domain: "login.sdk.example", type: "self_managed_certs" });
    const id = made.custom_domain_id;
    expect(made).toMatchObject({ status: "pending_verification", verification: { methods: [{ name: "txt" }] } });
    expect(await sdk.customDomains.list()).toEqual([made]);
    expect(await sdk.customDomains.update(id, { domain_metadata: { a: "1" } })).toMatchObject({ domain_metadata: { a: "1" } });
    expect(await sdk.customDomains.test(id)).toMatchObject({ success: false });
    expect(await sdk.customDomains.verify(id)).toMatchObject({ status: "ready" });
    expect(await sdk.customDomains.get(id)).toMatchObject({ status: "ready", domain: "login.sdk.example" });
    await sdk.customDomains.delete(id);
    expect(await rejectionOf(sdk.customDomains.get(id))).toMatchObject({
      statusCode: 404,
      body: { errorCode: "inexistent_custom_domain" },
    });
  });

  test("Auth0's SDK reads logs", async () => {
    const found = await sdk.logs.list({ per_page: 5, search: "type:sapi", sort: "date:-1" });
    expect(found.data.length).toBeGreaterThan(0);
    const [event] = found.data;
    expect(await sdk.logs.get(named(event?.log_id))).toEqual(event);
    await service.postern.jobs.sweep();
    expect(await sdk.stats.getDaily({ from: "20260101", to: "20260102" })).toEqual([]);
    expect(await sdk.stats.getActiveUsersCount()).toBe(0);
  });

  test("Auth0's SDK manages signing keys", async () => {
    // A separate client, because the token in this test was signed with the key that it revokes.
    const own = signIn();
    const [before] = await own.keys.signing.list();
    expect(before).toMatchObject({ current: true, revoked: false, cert: expect.stringContaining("BEGIN CERTIFICATE") });
    const made = await own.keys.signing.rotate();
    expect(await own.keys.signing.get(made.kid)).toMatchObject({ kid: made.kid, current: true });
    const kid = named(before?.kid);
    expect(await own.keys.signing.revoke(kid)).toMatchObject({ kid });
    expect(await rejectionOf(own.keys.signing.list())).toMatchObject({ statusCode: 401 });
    expect(await signIn().keys.signing.list()).toMatchObject([
      { kid, revoked: true, current: false },
      { kid: made.kid, current: true },
    ]);
  });

  test("the tests above called every SDK method whose route is supported", async () => {
    const responded = [...(await methodsOfSdk())].flatMap(([name, route]) => (route === undefined ? [] : [name]));
    expect(responded.filter((name) => !called.has(name))).toEqual([]);
  });
}

/** Returns the items on all pages of a list. */
export async function collectPages<Item>(pages: Promise<AsyncIterable<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of await pages) found.push(item);
  return found;
}

/** Returns the error with which a call rejects. */
export async function rejectionOf(call: Promise<unknown>): Promise<ManagementError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ManagementError) return error;
  throw new Error(`no ManagementError: ${String(error)}`);
}

function named(id: string | undefined): string {
  if (id === undefined || id === "") throw new Error("no id");
  return id;
}

function byText(a: string | undefined, b: string | undefined): number {
  return String(a) < String(b) ? -1 : 1;
}
