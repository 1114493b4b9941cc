import { expectStatus, jsonList, jsonObject, textMember, type JsonValue } from "./response.ts";
import type { ConnectedTenant } from "./tenant-access.ts";

/** The connection that every new tenant has. */
export const database = "Username-Password-Authentication";

/** A user of a tenant, with the password. */
export interface IsolationUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a user with a password in the default database connection. */
export async function createTestUser(
  { manage, newName }: ConnectedTenant,
  more: { readonly email?: string; readonly email_verified?: boolean } = {},
): Promise<IsolationUser> {
  const user = { email: `${newName()}@example.test`, password: `correct horse ${crypto.randomUUID()}`, email_verified: true, ...more };
  const created = await manage.create("/api/v2/users", { connection: database, name: newName(), ...user });
  return { ...user, userId: textMember(created, "user_id") };
}

/** Signs a new user in with the password grant. @returns the refresh token in the Management API's format. */
export async function createRefreshToken(tenant: ConnectedTenant): Promise<JsonValue> {
  const { manage, call, newName } = tenant;
  const client = await manage.create("/api/v2/clients", {
    name: newName(),
    app_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["password", "refresh_token"],
  });
  const { userId, email, password } = await createTestUser(tenant);
  const body = { grant_type: "password", client_id: client["client_id"], username: email, password, scope: "openid offline_access" };
  expectStatus(await call("POST", "/oauth/token", { body }), 200, "the password grant");
  const path = `/api/v2/users/${encodeURIComponent(userId)}/refresh-tokens`;
  const [token = {}] = jsonList(await manage("GET", path), path);
  return token;
}

/** Changes the email address of a user with a session, which queues a logout token. @returns the id of the delivery. */
export async function createLogoutDelivery(tenant: ConnectedTenant): Promise<string> {
  const { manage, newName } = tenant;
  const token = await createRefreshToken(tenant);
  const oidc_logout = {
    backchannel_logout_urls: ["https://app.example.test/backchannel-logout"],
    backchannel_logout_initiators: { mode: "all" },
  };
  const client = `/api/v2/clients/${textMember(token, "client_id")}`;
  expectStatus(await manage("PATCH", client, { oidc_logout }), 200, client);
  const user = `/api/v2/users/${encodeURIComponent(textMember(token, "user_id"))}`;
  expectStatus(await manage("PATCH", user, { email: `${newName()}@example.test` }), 200, user);
  const path = "/api/v2/logout-deliveries?sort=created_at:-1";
  return textMember(jsonList(await manage("GET", path), path)[0] ?? {}, "id");
}

/** Reads the resource at a path of the Management API. @returns the member `name`, which must be a string. */
export async function readMember({ manage }: ConnectedTenant, path: string, name: string): Promise<string> {
  return textMember(jsonObject(await manage("GET", path), 200, path), name);
}
