import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import { list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { insertConsent, insertLogoutDelivery } from "../support/rows.ts";

/** A service in which every list of the Management API has items. */

const connection = "Username-Password-Authentication";
const api = "https://api.example.test/";

export interface Lists {
  readonly service: TestPostern;
  readonly manage: Manager;
  /** Returns the URL of a list from its template in the OpenAPI document. */
  readonly at: (template: string, query: string) => string;
}

/** The lists with three shapes, and the name of each list in an envelope. */
export const listKeys: { readonly [template: string]: string } = {
  "/api/v2/users": "users",
  "/api/v2/users/{id}/roles": "roles",
  "/api/v2/users/{id}/permissions": "permissions",
  "/api/v2/users/{id}/organizations": "organizations",
  "/api/v2/users/{id}/logs": "logs",
  "/api/v2/users/{id}/authentication-methods": "authenticators",
  "/api/v2/users/{user_id}/sessions": "sessions",
  "/api/v2/users/{user_id}/refresh-tokens": "tokens",
  "/api/v2/refresh-tokens": "refresh_tokens",
  "/api/v2/roles": "roles",
  "/api/v2/roles/{id}/permissions": "permissions",
  "/api/v2/roles/{id}/users": "users",
  "/api/v2/organizations": "organizations",
  "/api/v2/organizations/{id}/members": "members",
  "/api/v2/organizations/{id}/members/{user_id}/roles": "roles",
  "/api/v2/organizations/{id}/enabled_connections": "enabled_connections",
  "/api/v2/organizations/{id}/connections": "connections",
  "/api/v2/organizations/{id}/client-grants": "client_grants",
  "/api/v2/organizations/{id}/invitations": "invitations",
  "/api/v2/clients": "clients",
  "/api/v2/clients/initial-access-tokens": "initial_access_tokens",
  "/api/v2/client-grants": "client_grants",
  "/api/v2/client-grants/{id}/organizations": "organizations",
  "/api/v2/grants": "grants",
  "/api/v2/connections": "connections",
  "/api/v2/resource-servers": "resource_servers",
  "/api/v2/device-credentials": "device_credentials",
  "/api/v2/logs": "logs",
  "/api/v2/sessions": "sessions",
  "/api/v2/logout-deliveries": "logout_deliveries",
  "/api/v2/custom-domains": "custom_domains",
  "/api/v2/prompts/rendering": "configs",
};

/** Creates {@link Lists}. Each list in {@link listKeys} has three items or more. */
export async function createLists(firstPage: 0 | 1): Promise<Lists> {
  const service = await createTestPostern({ pagination: { firstPage } });
  const manage = await managerOf(service);
  const abc = ["a", "b", "c"];
  const each = async (make: (name: string) => Promise<string>): Promise<readonly string[]> => {
    const made: string[] = [];
    for (const name of abc) made.push(await make(name));
    return made;
  };
  const done = async (path: string, body: unknown): Promise<void> =>
    expect((await manage("POST", path, body)).status, path).toBeLessThan(300);
  const id = async (path: string, body: unknown, name = "id"): Promise<string> =>
    stringMember(await manage.create(`/api/v2/${path}`, body), name);

  const password = "Correct-horse-1";
  const [user = "", ...others] = await each((name) => id("users", { connection, email: `${name}@example.test`, password }, "user_id"));
  const roles = await each((name) => id("roles", { name }));
  const connections = await each((name) => id("connections", { name, strategy: "email" }));
  await each((name) => id("resource-servers", { identifier: `${api}${name}`, scopes: [{ value: "read" }] }));
  const permissions = abc.map((name) => ({ resource_server_identifier: api + name, permission_name: "read" }));
  const organizations = await each((name) => id("organizations", { name }));
  const clients = await each((name) =>
    id("clients", { name, app_type: "native", grant_types: ["password", "refresh_token"] }, "client_id"),
  );
  const [role = "", organization = "", client = ""] = [roles[0], organizations[0], clients[0]];

  const ofUser = `/api/v2/users/${encodeURIComponent(user)}`;
  const ofRole = `/api/v2/roles/${role}`;
  const ofOrganization = `/api/v2/organizations/${organization}`;
  await done(`${ofUser}/roles`, { roles });
  await done(`${ofUser}/permissions`, { permissions });
  for (const name of abc) await done(`${ofUser}/authentication-methods`, { type: "email", email: `${name}@example.test` });
  await done(`${ofRole}/permissions`, { permissions });
  await done(`${ofRole}/users`, { users: [user, ...others] });
  for (const one of organizations) await done(`/api/v2/organizations/${one}/members`, { members: [user, ...others] });
  await done(`${ofOrganization}/members/${encodeURIComponent(user)}/roles`, { roles });
  for (const one of connections) await done(`${ofOrganization}/enabled_connections`, { connection_id: one });
  const grants: string[] = [];
  for (const name of abc) {
    const invitation = { inviter: { name }, invitee: { email: `${name}@elsewhere.test` }, client_id: client, send_invitation_email: false };
    await done(`${ofOrganization}/invitations`, invitation);
    await insertConsent(service, "main", { userId: user, clientId: client, audience: api + name, scope: ["read"] });
    await insertLogoutDelivery(service);
    grants.push(await id("client-grants", { client_id: client, audience: api + name, scope: [] }));
    await done("/api/v2/clients/initial-access-tokens", {});
    await done("/api/v2/custom-domains", { domain: `${name}.login.test`, type: "self_managed_certs" });
    const signIn = { grant_type: "password", client_id: client, username: "a@example.test", password, scope: "openid offline_access" };
    jsonBody(await service.call("POST", "/oauth/token", { body: signIn }));
  }

  const [grant = ""] = grants;
  for (const one of grants) await done(`${ofOrganization}/client-grants`, { grant_id: one });
  for (const one of organizations.slice(1)) await done(`/api/v2/organizations/${one}/client-grants`, { grant_id: grant });

  const screens = ["login", "login-id", "login-password", "signup", "signup-id"];
  const configs = screens.map((prompt) => ({ prompt, screen: prompt, rendering_mode: "advanced" }));
  jsonBody(await manage("PATCH", "/api/v2/prompts/rendering", { configs }));

  const { publicKey: pem } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await done(`/api/v2/clients/${client}/credentials`, { credential_type: "public_key", pem });
  await done("/api/v2/log-streams", { type: "http", sink: { httpEndpoint: "https://logs.example.test/" } });
  expect(await manage("PUT", "/api/v2/guardian/policies", ["all-applications"])).toMatchObject({ status: 200 });
  const database = list(await manage("GET", `/api/v2/connections?name=${connection}`)).map((row) => stringMember(row, "id"));
  // The list of a connection's clients has only clients with a list of connections.
  await manage("PATCH", `/api/v2/connections/${String(database[0])}/clients`, [{ client_id: client, status: true }]);
  const importJob = { connection_id: database[0], users: [{ email: "not an address" }] };
  const job = stringMember(jsonBody(await manage("POST", "/api/v2/jobs/users-imports", importJob), 202), "id");

  const owners: { readonly [kind: string]: string | undefined } = {
    users: user,
    roles: role,
    clients: client,
    "client-grants": grant,
    connections: database[0],
    jobs: job,
    organizations: organization,
  };
  const required: { readonly [template: string]: string } = {
    "/api/v2/refresh-tokens": `user_id=${encodeURIComponent(user)}&`,
    "/api/v2/users-by-email": "email=a@example.test&",
    "/api/v2/users/{id}/effective-permissions": `resource_server_identifier=${api}a&`,
    "/api/v2/users/{id}/effective-permissions/sources/effective-roles": `resource_server_identifier=${api}a&permission_name=read&`,
  };
  const at = (template: string, query: string): string => {
    const owner = encodeURIComponent(owners[template.split("/")[3] ?? ""] ?? "");
    const path = template.replace(/\{(id|client_id)\}/, owner).replace("{user_id}", encodeURIComponent(user));
    return `${path}?${required[template] ?? ""}${query}`;
  };
  return { service, manage, at };
}
