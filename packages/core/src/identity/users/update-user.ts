import type * as z from "zod";
import type { ServiceContext, TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import { isConflict } from "../../store/conflicts.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody, mergeSettings } from "../../model/settings.ts";
import { isUnproven, isUnprovenSignUp, provenEmail, unprovenEmail, type EmailProofFields } from "../../model/users/email-proof.ts";
import { changeClaims, namesClaim } from "../../model/users/standard-claims.ts";
import type { updateUserSchema } from "../../model/users/users.ts";
import { queueLogoutsOfUser } from "../sessions/logouts.ts";
import { endAccess } from "./account-access.ts";
import { loginKeys } from "./login-keys.ts";
import { boundedMetadata } from "./metadata.ts";
import { prepareNewPassword, type NewPassword } from "./new-password.ts";
import { noDeletion } from "./no-deletion.ts";
import { toPasswordError } from "./passwords.ts";

type User = Row<"users">;

/** The fields of an update that are allowed for a linked account. */
const changeableWhenLinked = new Set([
  "connection",
  "client_id",
  "phone_number",
  "email_verified",
  "app_metadata",
  "user_metadata",
  "password",
]);

/** The only connection in which the password of a linked account can be changed. */
const linkedPasswordConnection = "Username-Password-Authentication";

/** The lookups that an update requires. */
interface Lookups {
  /** The primary account. */
  findUser(): Promise<User>;
  findConnection(name: string): Promise<Row<"connections"> | undefined>;
  /** Decides about the change of an account before each attempt to write it. Throws an error that rejects the change. */
  allowChange?(account: User): Promise<void>;
}

/**
 * Updates a user (Auth0: `PATCH /api/v2/users/{id}`). Replaces profile fields; `null` clears a field. Merges metadata at
 * its first level; `null` removes a key. A new password revokes the user's sessions ({@link prepareNewPassword}).
 * Blocking the user revokes the sessions as well, and ends the trust in the user's browsers.
 * @param keepSession the session that stays active after a password change.
 * @returns the changed account: the primary account, or the linked one that `connection` names.
 */
export async function updateUser(
  tenant: TenantContext,
  lookups: Lookups,
  body: z.infer<typeof updateUserSchema>,
  keepSession?: string,
): Promise<User> {
  const { data } = tenant;
  const { password } = body;
  const primary = await lookups.findUser();
  const account = await selectAccount(data, primary, body);
  let prepared: NewPassword | undefined;
  if (password !== undefined) {
    const connection = await lookups.findConnection(account.connection);
    if (connection === undefined) throw invalidBody("the 'connection' of the user no longer exists");
    const owner = { ...account, ...changeOf(tenant, account, body) };
    const change = { connection, account, owner, userId: primary.user_id, password, keepSession };
    const outcome = await prepareNewPassword(tenant, change);
    if (outcome.kind === "refused") throw toPasswordError(outcome.fault);
    prepared = outcome;
  }
  // Before the write, so that a crash loses no logout token.
  if (body.email !== undefined && (body.email ?? "").toLowerCase() !== account.email.toLowerCase())
    await queueLogoutsOfUser(tenant, primary.user_id, "email-identifier-changed");
  // The update applies only if the account has not been linked or unlinked in the meantime.
  const where = { user_id: account.user_id, linked_to: account.linked_to };
  const apply = async (user: User): Promise<Partial<User>> => {
    const set = { ...changeOf(tenant, user, body), ...prepared?.set, updated_at: tenant.now() };
    await lookups.allowChange?.(user);
    return set;
  };
  const changed = await changeRow(data.users, where, apply, account)
    .then((change) => requireRow(change, "user", removed))
    .catch(async (error: unknown) => {
      const refusal = isConflict(error) ? taken() : error;
      // A `PosternError` means that nothing was written. After any other error the account may have its new password.
      if (refusal instanceof PosternError) await prepared?.rollBack();
      throw refusal;
    });
  if (body.blocked === true) await endAccess(tenant, { event: "block", userId: changed.user_id });
  await prepared?.complete(changed);
  return changed;
}

const taken = () => new PosternError("conflict", "The specified new value is taken by another user.", { errorCode: "auth0_idp_error" });
const removed = () => new PosternError("not_found", "The user was deleted or linked by another request.", { errorCode: "inexistent_user" });

/** Selects the account that an update applies to: the one in the connection that the body names. */
async function selectAccount(data: TenantData, primary: User, body: z.infer<typeof updateUserSchema>): Promise<User> {
  const { connection } = body;
  if (connection === undefined || connection === primary.connection) {
    if (body.password !== undefined && primary.provider !== "auth0")
      throw invalidBody("'password' must be absent: the connection has no passwords");
    if (body.email !== undefined && primary.provider !== "auth0")
      throw invalidBody("'email' cannot be changed: it comes from the user's provider");
    return primary;
  }
  const linked = primary.linked_count === 0 ? undefined : await findOne(data.users, { linked_to: primary.user_id, connection });
  if (linked === undefined) {
    throw new PosternError(
      "not_found",
      "body: 'connection' must be the connection of the user or of an account that is linked to the user",
      {
        errorCode: "inexistent_user",
      },
    );
  }
  const refused = Object.keys(body).find((field) => !changeableWhenLinked.has(field));
  if (refused !== undefined) throw invalidBody(`'${refused}' cannot be changed on a linked account`);
  if (body.password !== undefined && connection !== linkedPasswordConnection) {
    throw invalidBody(`'password' can be changed on a linked account only in the connection ${linkedPasswordConnection}`);
  }
  if (body.phone_number !== undefined && linked.provider !== "sms")
    throw invalidBody("'phone_number' can be changed on a linked account only if its provider is sms");
  return linked;
}

/** Returns the columns that an update sets. A new email address is unverified unless the caller states otherwise. */
function changeOf(context: ServiceContext, user: User, body: z.infer<typeof updateUserSchema>): Partial<User> {
  const email = body.email === undefined ? user.email : (body.email ?? "");
  const phone = body.phone_number === undefined ? user.phone_number : body.phone_number;
  const username = body.username === undefined ? user.username : body.username;
  const proof = changedProof(user, email, body.email_verified);
  const phoneVerified = body.phone_verified ?? (phone === user.phone_number ? user.phone_verified : false);
  return {
    email,
    phone_number: phone,
    username,
    ...loginKeys(user.provider, { email, phone_number: phone, username, subject_key: user.subject_key }),
    ...proof,
    phone_verified: phoneVerified,
    is_unproven_sign_up: isUnprovenSignUp(user) && isUnprovenSignUp({ ...user, email, ...proof, phone_verified: phoneVerified }),
    name: body.name === undefined ? user.name : (body.name ?? ""),
    nickname: body.nickname === undefined ? user.nickname : (body.nickname ?? ""),
    given_name: body.given_name === undefined ? user.given_name : body.given_name,
    family_name: body.family_name === undefined ? user.family_name : body.family_name,
    picture: body.picture === undefined ? user.picture : body.picture,
    ...(namesClaim(body) && { standard_claims: changeClaims(user.standard_claims, body) }),
    blocked: body.blocked ?? user.blocked,
    ...(body.deletes_at === null && noDeletion),
    ...boundedMetadata(
      context.config.metadataBytes,
      { app_metadata: merged("app_metadata", user, body), user_metadata: merged("user_metadata", user, body) },
      user,
    ),
  };
}

/**
 * Returns the proof of the email address after an update. A new email address is unproven unless the caller states that
 * it is verified. The caller's statement never replaces a stronger proof.
 */
function changedProof(user: User, email: string, verified: boolean | undefined): EmailProofFields {
  const same = email.toLowerCase() === user.email.toLowerCase();
  if (same && (verified === undefined || (verified && !isUnproven(user)))) {
    const { email_verified, email_proof, proven_email } = user;
    return { email_verified, email_proof, proven_email };
  }
  return verified === true ? provenEmail(email, "administrator") : unprovenEmail;
}

function merged(
  field: "app_metadata" | "user_metadata",
  { [field]: stored }: User,
  { [field]: change }: z.infer<typeof updateUserSchema>,
): JsonObject {
  return change === undefined ? stored : mergeSettings(stored, change);
}
