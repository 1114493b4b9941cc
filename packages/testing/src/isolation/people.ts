import { expectStatus, listOf, objectOf, textOf, type Json } from "./answer.ts";
import type { Party } from "./tenant-access.ts";

/** The connection that every tenant begins with. */
export const database = "Username-Password-Authentication";

/** Somebody of a tenant. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** Adds somebody to a tenant. */
export async function newPerson(
  { manage, newName }: Party,
  more: { readonly email?: string; readonly email_verified?: boolean } = {},
): Promise<Person> {
  const person = { email: `${newName()}@example.test`, password: `correct horse ${crypto.randomUUID()}`, email_verified: true, ...more };
  const user = await manage.create("/api/v2/users", { connection: database, name: newName(), ...person });
  return { ...person, userId: textOf(user, "user_id") };
}

/** A refresh token of somebody who has just signed in by the password grant, as the Management API shows it. */
export async function newRefreshToken(party: Party): Promise<Json> {
  const { manage, call, newName } = party;
  const app = await manage.create("/api/v2/clients", {
    name: newName(),
    app_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["password", "refresh_token"],
  });
  const { userId, email, password } = await newPerson(party);
  const body = { grant_type: "password", client_id: app["client_id"], username: email, password, scope: "openid offline_access" };
  expectStatus(await call("POST", "/oauth/token", { body }), 200, "the password grant");
  const path = `/api/v2/users/${encodeURIComponent(userId)}/refresh-tokens`;
  const [token = {}] = listOf(await manage("GET", path), path);
  return token;
}

/** The text of a member of the record at a path. */
export async function shownAt({ manage }: Party, path: string, name: string): Promise<string> {
  return textOf(objectOf(await manage("GET", path), 200, path), name);
}
