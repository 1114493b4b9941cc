import type * as z from "zod";
import type { DataContext, ServiceContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { provenEmail, unprovenEmail, type EmailProofKind } from "../../model/users/email-proof.ts";
import { changeClaims } from "../../model/users/standard-claims.ts";
import type { createUserSchema } from "../../model/users/users.ts";
import { freeUserId, insertUsers } from "./insert-user.ts";
import { noDeletion } from "./no-deletion.ts";
import { loginKeys } from "./login-keys.ts";
import { boundedMetadata } from "./metadata.ts";
import { storePassword } from "./passwords.ts";
import { newUserId } from "./user-id.ts";

/** How the email address of a new account was proven. `sign-up`: it was not, because a visitor creates the account. */
type AccountProof = EmailProofKind | "sign-up";

/**
 * Creates an account. Of parallel requests with the same identifier, only the first insert succeeds. The caller must
 * check the password against the connection's policy (`checkNewPassword`), except where the policy does not apply, for
 * example for seeded users.
 * @param proof how the email address was proven if `email_verified` is true; `sign-up` if a visitor creates the account.
 * @param factors the types of the factors that were stored for the account with `insertFactorsOfNewUser`.
 * @param passwordSetThrough the email address through which the user sets the password, see {@link storePassword}.
 * @throws {PosternError} `invalid_request`, or `conflict` if the id or an identifier is taken.
 */
export async function createUser(
  context: DataContext,
  connection: Row<"connections">,
  body: z.infer<typeof createUserSchema>,
  proof: AccountProof = "administrator",
  factors: readonly FactorType[] = [],
  passwordSetThrough: string | null = null,
): Promise<Row<"users">> {
  const { data } = context;
  const account = accountRow(context, connection, body, proof);
  const passwordId = body.password === undefined ? null : await storePassword(context, account.user_id, body.password, passwordSetThrough);
  const enrolled = factors.length > 0 && { enrolled_factors: [...factors], factors_changed_at: context.now() };
  const row = { ...account, ...enrolled, password_id: passwordId };
  if (await insertUsers(context, connection, [row])) return row;
  const freed = body.user_id !== undefined && (await freeUserId(context, row.user_id));
  if (freed && (await insertUsers(context, connection, [row]))) return row;
  if (passwordId !== null) await data.passwords.delete({ id: passwordId });
  throw new PosternError("conflict", "The user already exists.", { errorCode: "auth0_idp_error" });
}

/**
 * Returns the row for a new account in a database or passwordless connection, without a password.
 * @throws {PosternError} `invalid_request` if the connection does not accept the identifiers or the metadata are too
 * large.
 */
export function accountRow(
  context: ServiceContext,
  connection: Row<"connections">,
  body: Omit<z.infer<typeof createUserSchema>, "connection">,
  proof: AccountProof = "administrator",
): Row<"users"> {
  checkIdentifier(connection.strategy, body);
  const account = { email: body.email ?? "", username: body.username ?? null, phone_number: body.phone_number ?? null, subject_key: null };
  return {
    ...newAccount(connection, context.now(), { ...body, user_id: newUserId(connection.name, body.user_id, context.random) }, proof),
    ...account,
    ...loginKeys(connection.strategy, account),
    phone_verified: body.phone_verified ?? false,
    blocked: body.blocked ?? false,
    ...boundedMetadata(context.config.metadataBytes, { app_metadata: body.app_metadata ?? {}, user_metadata: body.user_metadata ?? {} }),
  };
}

/**
 * Returns the row for a new account, without login keys.
 * @param now milliseconds since 1970.
 * @param proof how the email address was proven if `email_verified` is true; `sign-up` if a visitor creates the account.
 */
export function newAccount(
  connection: Pick<Row<"connections">, "name" | "strategy">,
  now: number,
  profile: Omit<z.infer<typeof createUserSchema>, "connection" | "user_id"> & { readonly user_id: string },
  proof: AccountProof,
): Row<"users"> {
  const { email, email_verified: verified = false } = profile;
  const isProven = verified && email !== undefined && proof !== "sign-up";
  return {
    user_id: profile.user_id,
    connection: connection.name,
    provider: connection.strategy,
    linked_to: "",
    linked_count: 0,
    email: profile.email ?? "",
    email_key: null,
    ...(isProven ? provenEmail(email, proof) : { ...unprovenEmail, email_verified: verified }),
    is_unproven_sign_up: proof === "sign-up",
    username: null,
    username_key: null,
    phone_number: null,
    phone_key: null,
    phone_verified: false,
    subject_key: null,
    // An email address may be longer than a name.
    name: (profile.name ?? profile.email ?? profile.username ?? profile.phone_number ?? "").slice(0, 300),
    nickname: (profile.nickname ?? profile.email?.split("@", 1)[0] ?? profile.username ?? "").slice(0, 300),
    given_name: profile.given_name ?? null,
    family_name: profile.family_name ?? null,
    picture: profile.picture ?? null,
    standard_claims: changeClaims(null, profile),
    blocked: false,
    app_metadata: {},
    user_metadata: {},
    password_id: null,
    enrolled_factors: null,
    factors_changed_at: null,
    factors_frozen_until: null,
    password_frozen_until: null,
    removing_factor: null,
    first_factor: null,
    last_password_reset: null,
    last_ip: null,
    last_login: 0,
    logins_count: 0,
    ...noDeletion,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
}

/**
 * Requires the identifier that accounts of a strategy sign in with. Accounts of identity providers are created only by
 * logins.
 */
function checkIdentifier(strategy: string, body: Omit<z.infer<typeof createUserSchema>, "connection">): void {
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
      throw invalidBody(`'connection' has the strategy ${strategy}, whose users are created by logins at the provider`);
  }
  if (body.password !== undefined) throw invalidBody("'password' must be absent: the connection has no passwords");
}
