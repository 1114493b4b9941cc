import type { TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { registrationAt } from "../actions/registration.ts";
import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { emailSchema } from "../../model/email-address.ts";
import { readPhoneNumber, unreadablePhone, type MisspelledPhone } from "../../model/phone-number.ts";
import { storeFactor, insertFactorsOfNewUser, removeFactor, removeFactorsOfAccount } from "../factors/factors.ts";
import type { PasswordFault } from "../passwords/policy.ts";
import type { CredentialValues } from "../webauthn/credential.ts";
import { createUser } from "./create-user.ts";
import { freeUserId } from "./insert-user.ts";
import { boundedMetadata } from "./metadata.ts";
import { loginKeys } from "./login-keys.ts";
import { findPasswordFault } from "./passwords.ts";
import { newUserId } from "./user-id.ts";
import { resetPassword } from "./reset-password.ts";
import { accountFields, signUpFields, type AccountField, type SignUpFields } from "./sign-up-fields.ts";
import { usernameFault, usernameRules } from "./username.ts";

/** The maximum size of the metadata that a visitor may submit, in bytes of JSON. */
const maximumMetadataBytes = 64 * 1024;

/** The submitted data of a sign-up: identifiers as typed, and a validated profile. */
interface SignUp {
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly phone_number?: string | undefined;
  /** Left out: the user signs in with the passkey of the attempt. */
  readonly password?: string | undefined;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly name?: string;
  readonly nickname?: string;
  /** An http or https URL. */
  readonly picture?: string;
  readonly user_metadata?: JsonObject;
}

/** Why an identifier is invalid, independent of existing accounts. */
export interface FieldFault {
  readonly field: AccountField;
  readonly problem: "missing" | "malformed" | "inactive";
  /** The problem in English, for API clients: `'username' must have 1 to 15 characters`. */
  readonly message: string;
  /** Set if the identifier is a phone number that must be written in another way. */
  readonly misspelled?: MisspelledPhone;
}

/** A sign-up with a password or a passkey. `connection` is a password database (strategy `auth0`). */
export interface SignUpAttempt {
  readonly connection: Row<"connections">;
  /** The client that sent the visitor. */
  readonly client: RegisteredClient | undefined;
  readonly sent: SignUp;
  /** The verified passkey of the new account. Left out: the account has a password. */
  readonly passkey?: CredentialValues | undefined;
  /**
   * Whether an invitation was sent to the email address. If so, the sign-up is allowed even if the connection is closed
   * for sign-ups, and the email address is the only identifier. Default false.
   */
  readonly isInvited?: boolean;
  /**
   * The part of the user ID after the connection name. It is derived from the submitted form and its input, so that
   * submitting the form again does not create another account. Left out: a new ID is generated.
   */
  readonly formId?: string | undefined;
  /** The account that an earlier sign-up in the same login created. */
  readonly earlier?: EarlierSignUp | undefined;
}

/** An account that a sign-up created, and the id of its password. `null` if it was created with a passkey. */
type EarlierSignUp = Pick<Row<"users">, "user_id" | "password_id">;

/**
 * Whether an account still belongs to the visitor who created it: it has the password that they chose. An account that
 * was created with a passkey has no password. It belongs to its creator until its email address or phone number is
 * verified, because another user who verifies it removes the passkey.
 */
export function belongsToCreator(
  earlier: EarlierSignUp | undefined,
  user: Pick<Row<"users">, "user_id" | "password_id" | "email_verified" | "phone_verified">,
): boolean {
  if (earlier?.user_id !== user.user_id || earlier.password_id !== user.password_id) return false;
  return user.password_id !== null || (!user.email_verified && !user.phone_verified);
}

/** The outcome of a sign-up. Await `recorded`, the write of the audit event, before you send the response. */
export type SignUpResult =
  /**
   * The account exists and has the submitted password or passkey. It was created by this sign-up, or by an earlier sign-up from
   * the same form or in the same login.
   */
  | { readonly kind: "created"; readonly user: Row<"users">; readonly identifiers: Identifiers; readonly recorded: Promise<void> }
  /**
   * An account with one of the identifiers exists. The response must not reveal to other users that an email address or
   * phone number has an account. `fields`: the identifiers that are taken; empty if the other account was deleted in
   * the meantime. `owner`: the account with the email address, or else with the phone number. `identifiers`: as they
   * would have been stored.
   */
  | {
      readonly kind: "taken";
      readonly fields: readonly AccountField[];
      readonly owner: Row<"users"> | undefined;
      readonly identifiers: Identifiers;
      readonly recorded: Promise<void>;
    }
  /** The password policy rejects the password. Reveals nothing about other users. */
  | { readonly kind: "refused"; readonly fault: PasswordFault; readonly recorded: Promise<void> }
  /**
   * An action of the host denied the sign-up. `message`: the action's text, for API clients. The audit event is already
   * written.
   */
  | { readonly kind: "denied"; readonly message: string }
  | { readonly kind: "invalid"; readonly fault: FieldFault }
  /** The connection does not allow sign-up with a password. `message`: the reason in English, for API clients. */
  | { readonly kind: "closed"; readonly message: string };

/** The identifiers of an account. */
export type Identifiers = { readonly [Field in AccountField]?: string };

/**
 * Creates an account in a password database, if the options of the connection allow it, and writes the result to the
 * audit log. The email address and phone number are unverified. The caller must start the session and send the
 * verification messages.
 *
 * If an identifier is taken, a password is hashed and the same writes are sent as for a new account, so that the
 * response takes the same time.
 * @throws {PosternError} `invalid_request` if the metadata are too large.
 * @throws {BusyError} when too many passwords are waiting to be hashed.
 */
export async function signUp(tenant: TenantContext, attempt: SignUpAttempt): Promise<SignUpResult> {
  const { connection, client, sent, isInvited = false, formId } = attempt;
  const fields = signUpFields(connection);
  if (fields.closedBecause !== undefined && !isInvited) return { kind: "closed", message: fields.closedBecause };
  const read = isInvited ? { email: sent.email ?? "" } : await readIdentifiers(connection, fields, sent);
  if ("problem" in read) return { kind: "invalid", fault: read };
  boundedMetadata(Math.min(tenant.config.metadataBytes, maximumMetadataBytes), {
    app_metadata: {},
    user_metadata: sent.user_metadata ?? {},
  });
  const account = {
    connection: connection.name,
    ...(sent.password !== undefined && { password: sent.password }),
    ...profileOf(sent),
    ...read,
    ...(formId !== undefined && { user_id: formId }),
  };
  const fault = sent.password === undefined ? undefined : await findPasswordFault(tenant, connection, sent.password, account);
  if (fault !== undefined) return { kind: "refused", fault, recorded: auditFailure(tenant, attempt, fault.message) };
  const registration = registrationAt(tenant, client, connection);
  const { kind, ...decision } = await registration.before({ ...profileOf(sent), ...read });
  if (kind === "denied") return { kind, message: "message" in decision ? decision.message : "" };
  try {
    const body = { ...account, ...decision };
    const { passkey } = attempt;
    const user = await (passkey === undefined
      ? createUser(tenant, connection, body, "sign-up", undefined, isInvited ? (sent.email ?? null) : null)
      : createUserWithPasskey(tenant, connection, body, passkey));
    registration.after(user);
    const recorded = tenant.audit({
      type: "ss",
      ...(attempt.passkey !== undefined && { details: { authentication_methods: ["passkey"] } }),
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(user),
    });
    return { kind: "created", user, identifiers: read, recorded };
  } catch (error) {
    if (!isPosternError(error) || error.code !== "conflict") throw error;
  }
  const taken = await findTaken(tenant.data, connection, read);
  const own = (await findByForm(tenant, attempt)) ?? (await resumeEarlier(tenant, attempt, taken.owner));
  if (own !== undefined) return { kind: "created", user: own, identifiers: read, recorded: Promise.resolve() };
  const description = `An account already exists (${taken.fields.join(", ")}).`;
  return { kind: "taken", ...taken, identifiers: read, recorded: auditFailure(tenant, attempt, description, taken.owner) };
}

/** Writes the audit event for a failed sign-up. @param owner the account that has the identifier. */
async function auditFailure(
  tenant: TenantContext,
  { client, connection }: SignUpAttempt,
  description: string,
  owner?: Row<"users">,
): Promise<void> {
  await tenant.audit({
    type: "fs",
    description,
    ...auditClient(client),
    ...auditConnection(connection),
    ...(owner && auditUser(owner)),
  });
}

/**
 * Finds the account that an earlier submission of the same form created, unless its email address or phone number was
 * verified or its password was changed since.
 */
async function findByForm(tenant: TenantContext, { connection, formId, passkey }: SignUpAttempt): Promise<Row<"users"> | undefined> {
  if (formId === undefined) return undefined;
  const unchanged = { linked_to: "", email_verified: false, phone_verified: false, last_password_reset: null } as const;
  const user = await findOne(tenant.data.users, { user_id: `${connection.name}|${formId}`, ...unchanged });
  if (user === undefined || (user.password_id === null) !== (passkey !== undefined)) return undefined;
  if (passkey !== undefined) await replacePasskeys(tenant, user, passkey);
  return user;
}

/**
 * Sets the password, or adds the passkey, of the account that the visitor created in the same login before returning to
 * the form.
 * @returns undefined if the account belongs to another user, or the connection's policy does not allow the password.
 */
async function resumeEarlier(
  tenant: TenantContext,
  { connection, client, sent, passkey, earlier }: SignUpAttempt,
  owner: Row<"users"> | undefined,
): Promise<Row<"users"> | undefined> {
  if (owner === undefined || !belongsToCreator(earlier, owner)) return undefined;
  if (passkey !== undefined) {
    await replacePasskeys(tenant, owner, passkey);
    return owner;
  }
  if (sent.password === undefined) return undefined;
  const reset = await resetPassword(tenant, { connection, account: owner, password: sent.password, client, isConfirmed: true });
  return reset.kind === "done" ? reset.account : undefined;
}

/**
 * Creates an account with a passkey. The passkey is stored first: after a crash between the two writes, the visitor can
 * sign up again. In the other order, the identifiers would be taken by an account without a way to sign in. A passkey
 * whose account was not created belongs to no user.
 * @throws {PosternError} `conflict` if the id, an identifier or the passkey is taken.
 */
async function createUserWithPasskey(
  tenant: TenantContext,
  connection: Row<"connections">,
  body: Parameters<typeof createUser>[2],
  passkey: CredentialValues,
): Promise<Row<"users">> {
  const { data } = tenant;
  const userId = newUserId(connection.name, body.user_id, tenant.random);
  // Completes the deletion of an earlier account with the id now. Later, it would delete the new passkey as well.
  await freeUserId(tenant, userId);
  const existing = await findOne(data.users, { user_id: userId }, ["user_id"]);
  // The account of an earlier submission. Another user may have verified its email address since, so it gets no passkey.
  const stored = existing ? [] : await insertFactorsOfNewUser(tenant, userId, [{ type: "passkey", ...passkey }]);
  const [id] = stored;
  if (id === undefined) throw new PosternError("conflict", "The user or the passkey already exists.");
  try {
    return await createUser(tenant, connection, { ...body, user_id: userId }, "sign-up", ["passkey"]);
  } catch (error) {
    // After other errors, such as a lost connection, the account may exist.
    if (isPosternError(error) && error.code === "conflict") await data.factors.delete({ id, user_id: userId });
    throw error;
  }
}

/**
 * Adds a passkey to an account that this visitor created before. If another user has verified the email address or phone
 * number in the meantime, the account is theirs, and the passkey is removed again. A verification that is stored after
 * this function reads the account removes the passkey itself.
 */
async function addPasskey(tenant: TenantContext, user: Row<"users">, passkey: CredentialValues): Promise<void> {
  const factor = await storeFactor(tenant, user, { type: "passkey", ...passkey, confirmed: true });
  const current = await findOne(tenant.data.users, { user_id: user.user_id });
  if (current === undefined || current.email_verified || current.phone_verified) await removeFactor(tenant, user.user_id, factor.id);
}

/** Replaces the passkeys of a new account: the authenticator has overwritten the earlier one, which had the same handle. */
async function replacePasskeys(tenant: TenantContext, user: Row<"users">, passkey: CredentialValues): Promise<void> {
  await removeFactorsOfAccount(tenant, user.user_id);
  await addPasskey(tenant, user, passkey);
}

const profileFields = ["given_name", "family_name", "name", "nickname", "picture", "user_metadata"] as const;

/**
 * Returns only the profile fields. Visitors must not set other fields, such as the user ID, verification or
 * `app_metadata`.
 */
function profileOf(sent: SignUp): Pick<SignUp, (typeof profileFields)[number]> {
  return Object.fromEntries(profileFields.filter((field) => sent[field] !== undefined).map((field) => [field, sent[field]]));
}

/** Validates the identifiers of a sign-up, without a query. Returns the first fault; undefined if all are valid. */
export async function findFieldFault(connection: Row<"connections">, sent: Omit<SignUp, "password">): Promise<FieldFault | undefined> {
  const read = await readIdentifiers(connection, signUpFields(connection), sent);
  return "problem" in read ? read : undefined;
}

/** Whether an account of a connection has a username. A sign-up form may reveal that, because usernames are unique. */
export async function isUsernameTaken({ data }: TenantContext, connection: Row<"connections">, username: string): Promise<boolean> {
  return (await findTaken(data, connection, { username })).fields.includes("username");
}

/** Parses the submitted identifiers. Returns them in the form in which they are stored, or the first fault. */
async function readIdentifiers(connection: Row<"connections">, fields: SignUpFields, sent: SignUp): Promise<Identifiers | FieldFault> {
  const read: { [Field in AccountField]?: string } = {};
  for (const field of accountFields) {
    const typed = sent[field]?.trim() ?? "";
    const status = fields[field];
    if (typed === "" && status === "required") return { field, problem: "missing", message: `'${field}' is missing` };
    if (typed === "") continue;
    if (status === "inactive") return { field, problem: "inactive", message: `'${field}' is not accepted by the connection` };
    const value = await readField(connection, field, typed);
    if (typeof value !== "string") {
      const misspelled = value.correction !== undefined && { misspelled: value };
      return { field, problem: "malformed", message: `'${field}' ${value.fault}`, ...misspelled };
    }
    read[field] = value;
  }
  const [first, ...others] = fields.identifiers;
  if (first === undefined || fields.identifiers.some((field) => read[field] !== undefined)) return read;
  return { field: first, problem: "missing", message: `one of ${[first, ...others].map((field) => `'${field}'`).join(", ")} is missing` };
}

async function readField(
  connection: Row<"connections">,
  field: AccountField,
  typed: string,
): Promise<string | MisspelledPhone | { readonly fault: string; readonly correction?: undefined }> {
  switch (field) {
    case "email":
      return emailSchema.safeParse(typed).data ?? { fault: "must be an email address" };
    case "phone_number": {
      const read = await readPhoneNumber(typed);
      if (!("number" in read)) return read;
      return read.isPossible ? read.number : unreadablePhone;
    }
    case "username": {
      const fault = usernameFault(typed, usernameRules(databaseOptions(connection)));
      return fault === undefined ? typed : { fault };
    }
  }
}

const keyOf = { email: "email_key", username: "username_key", phone_number: "phone_key" } as const;

/**
 * Returns which identifiers are taken, and the account that has the email address or, if no account has it, the phone
 * number.
 */
async function findTaken(
  data: Pick<TenantData, "users">,
  connection: Row<"connections">,
  read: Identifiers,
): Promise<{ readonly fields: readonly AccountField[]; readonly owner: Row<"users"> | undefined }> {
  const keys = loginKeys(connection.strategy, {
    email: read.email ?? "",
    username: read.username ?? null,
    phone_number: read.phone_number ?? null,
    subject_key: null,
  });
  const owners = await Promise.all(
    accountFields.map(async (field) => {
      const key = keys[keyOf[field]];
      if (key === null) return undefined;
      const owner = await findOne(data.users, { connection: connection.name, [keyOf[field]]: key });
      return owner;
    }),
  );
  const [byEmail, , byPhone] = owners;
  return { fields: accountFields.filter((_, index) => owners[index] !== undefined), owner: byEmail ?? byPhone };
}
