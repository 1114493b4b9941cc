import type { Row } from "../data/schema.ts";
import { signInWithPassword, type PasswordLogin } from "../domain/login/password-login.ts";
import { PosternError } from "../errors.ts";
import { attackProtection } from "../model/attack-protection.ts";
import { databaseOptions } from "../model/database-options.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";

/** Tries a password at a connection, and puts on record what came of it: nothing may be answered before `recorded`. */
export async function passwordSignIn(
  tenant: Tenant,
  client: Client,
  connection: Row<"connections">,
  credentials: { readonly identifier: string; readonly password: string },
): Promise<{ readonly result: PasswordLogin; readonly recorded: Promise<unknown> }> {
  const { environment, data } = tenant;
  const result = await signInWithPassword({
    environment,
    data,
    tenantId: tenant.id,
    connection,
    ...credentials,
    ip: tenant.facts.ip,
    protection: attackProtection(tenant.record),
    limiter: environment.rateLimiter,
    wait: environment.wait,
  });
  const named = { client_id: client.record.client_id, name: client.record.name };
  return { result, recorded: Promise.all(result.events.map((event) => tenant.audit({ ...event, client: named }))) };
}

/** A failed try as programs are told of it (spec section 7). @throws {PosternError} */
export function refusePassword(result: Exclude<PasswordLogin, { kind: "signed-in" }>): never {
  switch (result.kind) {
    case "throttled":
      throw new PosternError("TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes, or sign in another way.");
    case "blocked":
      // The vendor's browser SDK logs out locally on exactly these words.
      throw new PosternError("access_denied", "user is blocked");
    case "refused":
      throw result.error;
    case "wrong-credentials":
      throw new PosternError("INVALID_CREDENTIALS", "Wrong email or password.");
  }
}

/**
 * The password connection that a client's people sign in with: the one that was named, else the tenant's default where the client offers it, else the first.
 * Undefined where the client offers none.
 * @param enabled ids of the connections that an organization lets its members sign in with; left out where that is not asked.
 */
export async function passwordConnection(
  tenant: Tenant,
  client: Client,
  name: string | undefined,
  enabled?: readonly string[],
): Promise<Row<"connections"> | undefined> {
  const { connections: offered } = client.record;
  const all = (await tenant.connections()).filter(
    (connection) => offered?.includes(connection.id) !== false && enabled?.includes(connection.id) !== false && takesPasswords(connection),
  );
  const inOrder = offered === null ? all : all.toSorted((a, b) => offered.indexOf(a.id) - offered.indexOf(b.id));
  if (name !== undefined) return inOrder.find((connection) => connection.name === name);
  return inOrder.find((connection) => connection.name === tenant.settings.default_directory) ?? inOrder[0];
}

function takesPasswords(connection: Row<"connections">): boolean {
  return connection.strategy === "auth0" && databaseOptions(connection).authentication_methods?.password?.enabled !== false;
}
