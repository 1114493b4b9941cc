import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import type { CreateUser } from "../../model/users/users.ts";
import type { Environment } from "../environment.ts";
import { loginKeys } from "./login-keys.ts";
import { boundedMetadata } from "./metadata.ts";
import { storePassword } from "./passwords.ts";
import { newUserId } from "./user-id.ts";

/**
 * Creates an account. The insert of its row decides: of parallel creations of one address, one wins.
 * Whether the connection allows the password is for the caller to check (`checkNewPassword`): who seeds an installation decides for themselves.
 * @throws {PosternError} `invalid_request`, or `conflict` where the id or what it signs in with is taken.
 */
export async function createUser(
  environment: Environment,
  data: TenantData,
  connection: Row<"connections">,
  body: CreateUser,
): Promise<Row<"users">> {
  checkIdentifier(connection.strategy, body);
  const now = environment.clock.now();
  const userId = newUserId(connection.name, body.user_id, environment.ids);
  const account = { email: body.email ?? "", username: body.username ?? null, phone_number: body.phone_number ?? null };

  const passwordId = body.password === undefined ? null : await storePassword(environment, data, userId, body.password);
  const row: Row<"users"> = {
    user_id: userId,
    connection: connection.name,
    provider: connection.strategy,
    linked_to: "",
    linked_count: 0,
    ...account,
    ...loginKeys(connection.strategy, account),
    email_verified: body.email_verified ?? false,
    phone_verified: body.phone_verified ?? false,
    // An address may be longer than a name.
    name: (body.name ?? body.email ?? body.username ?? body.phone_number ?? "").slice(0, 300),
    nickname: (body.nickname ?? body.email?.split("@", 1)[0] ?? body.username ?? "").slice(0, 300),
    given_name: body.given_name ?? null,
    family_name: body.family_name ?? null,
    picture: body.picture ?? null,
    blocked: body.blocked ?? false,
    app_metadata: boundedMetadata("app_metadata", body.app_metadata ?? {}),
    user_metadata: boundedMetadata("user_metadata", body.user_metadata ?? {}),
    password_id: passwordId,
    last_password_reset: null,
    last_ip: null,
    last_login: 0,
    logins_count: 0,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  if (await data.users.insert([row])) return row;
  if (passwordId !== null) await data.passwords.delete({ id: passwordId });
  throw new PosternError("conflict", "The user already exists.", { errorCode: "auth0_idp_error" });
}

/** What each strategy knows its accounts by. Accounts of upstream providers come from logins alone. */
function checkIdentifier(strategy: string, body: CreateUser): void {
  switch (strategy) {
    case "auth0":
      if (body.email === undefined && body.username === undefined && body.phone_number === undefined)
        throw invalidBody("'email' is missing");
      return;
    case "email":
      if (body.email === undefined) throw invalidBody("'email' is missing");
      break;
    case "sms":
      if (body.phone_number === undefined) throw invalidBody("'phone_number' is missing");
      break;
    default:
      throw invalidBody(`'connection' is of strategy ${strategy}, whose users come from its provider`);
  }
  if (body.password !== undefined) throw invalidBody("'password' is not possible: the connection has no passwords");
}
