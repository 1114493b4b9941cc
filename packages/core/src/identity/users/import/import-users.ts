import type { DataContext, ServiceContext } from "../../../context.ts";
import type * as z from "zod";
import type { SourceUser } from "../../../adapters/user-source.ts";
import { findOne } from "../../../store/find-one.ts";
import { changeRow } from "../../../store/change-row.ts";
import type { Row } from "../../../store/schema.ts";
import { findFault } from "../../../store/json-fault.ts";
import type { TenantData } from "../../../store/tenant-data.ts";
import { isPosternError } from "../../../errors.ts";
import { issueText } from "../../../model/issue-text.ts";
import { mergeSettings } from "../../../model/settings.ts";
import { isUnproven, provenSignUp, provenEmail, unprovenEmail, type EmailProofFields } from "../../../model/users/email-proof.ts";
import { changeClaims, namesClaim } from "../../../model/users/standard-claims.ts";
import { accessFault, ignoredMembers, importedUserFieldsSchema, type ImportedFactor } from "../../../model/users/imported-users.ts";
import { storedForm, type CustomHash } from "../../passwords/custom-hash.ts";
import { excessOf } from "../../passwords/stored.ts";
import { endAccess } from "../account-access.ts";
import { accountRow } from "../create-user.ts";
import { endOfTurn } from "../../../store/turn.ts";
import { freeUserId, insertUsers } from "../insert-user.ts";
import { boundedMetadata } from "../metadata.ts";
import { addImportedFactors, insertImportedFactors, typesOfImported } from "./import-factors.ts";

/** A user to import, in Auth0's format. */
export interface ImportedUser extends SourceUser {
  /** A bcrypt hash, or a hash of another algorithm as a PHC string. bcrypt requires the hasher's option `bcrypt`. */
  readonly password_hash?: string;
  /** A hash in Auth0's format. Cannot be combined with `password_hash`. */
  readonly custom_password_hash?: CustomHash;
  /** One to ten second factors, each with one member. They are confirmed at once. */
  readonly mfa_factors?: readonly ImportedFactor[];
}

/** Why a user was not imported, with Auth0's error codes. */
export interface ImportFault {
  readonly code: "INVALID_FORMAT" | "UNSUPPORTED_HASH" | "DUPLICATED_USER" | "MFA_FACTORS_FAILED";
  readonly message: string;
  /** The invalid field. */
  readonly path?: string;
}

/** The progress of an import, as numbers of users. `ignored` counts members instead. */
export interface ImportCounts {
  readonly total: number;
  readonly inserted: number;
  readonly updated: number;
  readonly failed: number;
  /** The number of members in imported users that had no effect, such as `last_login`. Left out if the number is 0. */
  readonly ignored?: number;
}

/** The options of an import. */
export interface UserImport {
  readonly connection: Row<"connections">;
  /**
   * `true`: updates the profile, the metadata, `blocked`, `email_verified` and `phone_verified` of existing users, but
   * never their identifiers or passwords. `false`: a user that exists already is rejected.
   */
  readonly upsert: boolean;
  /** Called for each user that was not imported, with the user as it was passed to the import. */
  onRejected(user: unknown, faults: readonly ImportFault[]): void;
  /** Called after each batch. */
  onProgress?(counts: ImportCounts): void;
}

/** The maximum number of users that one statement inserts. */
const batchSize = 100;

interface Ready {
  readonly given: unknown;
  readonly user: z.infer<typeof importedUserFieldsSchema>;
  readonly row: Row<"users">;
  readonly password: Row<"passwords"> | undefined;
}

/**
 * Imports users into a connection in batches of a hundred, so that memory use does not grow with the number of users. A
 * password hash is stored unchanged, and replaced when its user signs in. The password of an account is inserted before
 * the account. After a crash, importing the same users again completes the import. Users that exist already are then
 * rejected or, with `upsert`, updated.
 */
export async function importUsers(
  context: DataContext,
  users: Iterable<unknown> | AsyncIterable<unknown>,
  options: UserImport,
): Promise<ImportCounts> {
  let counts: ImportCounts = { total: 0, inserted: 0, updated: 0, failed: 0 };
  let part: unknown[] = [];
  const flush = async (): Promise<void> => {
    const done = await importPart(context, part, options);
    await endOfTurn();
    const ignored = (counts.ignored ?? 0) + done.ignored;
    counts = {
      total: counts.total + part.length,
      inserted: counts.inserted + done.inserted,
      updated: counts.updated + done.updated,
      failed: counts.failed + done.failed,
      ...(ignored > 0 && { ignored }),
    };
    part = [];
    options.onProgress?.(counts);
  };
  for await (const user of users) {
    part.push(user);
    if (part.length === batchSize) await flush();
  }
  if (part.length > 0) await flush();
  return counts;
}

async function importPart(
  context: DataContext,
  part: readonly unknown[],
  options: UserImport,
): Promise<Omit<Required<ImportCounts>, "total">> {
  const { data } = context;
  const ready: Ready[] = [];
  const rejected = (given: unknown, ...faults: readonly ImportFault[]): void => options.onRejected(given, faults);
  for (const given of part) {
    const read = await readUser(context, options.connection, given);
    if ("faults" in read) rejected(given, ...read.faults);
    else ready.push(read);
  }
  const unread = part.length - ready.length;
  if (ready.length === 0) return { inserted: 0, updated: 0, failed: unread, ignored: 0 };
  const passwords = ready.flatMap(({ password }) => password ?? []);
  if (passwords.length > 0) await data.passwords.insert(passwords);
  const { connection } = options;
  const batch = ready.filter(({ user }) => user.mfa_factors === undefined);
  const isInserted = batch.length > 0 && (await insertUsers(context, connection, rowsOf(batch)));
  const imported: Ready[] = isInserted ? batch : [];
  let [inserted, updated, failed] = [imported.length, 0, unread];
  // If the batch was not inserted, at least one of its users exists already or occurs twice in it. Then the users are
  // inserted one by one, as are always those with second factors.
  for (const one of isInserted ? ready.filter(({ user }) => user.mfa_factors !== undefined) : ready) {
    const insert = () => insertWithFactors(context, connection, one);
    if ((await insert()) || ((await freeUserId(context, one.row.user_id)) && (await insert()))) {
      inserted++;
      imported.push(one);
      continue;
    }
    if (one.password !== undefined) await data.passwords.delete({ id: one.password.id });
    const fault = options.upsert ? await updateKnown(context, one) : exists;
    if (fault === undefined) {
      updated++;
      imported.push(one);
    } else {
      failed++;
      rejected(one.given, fault);
    }
  }
  return { inserted, updated, failed, ignored: sumOfIgnored(imported) };
}

const rowsOf = (users: readonly Ready[]): readonly Row<"users">[] => users.map(({ row }) => row);

/** Inserts an account with its second factors. @returns `false` if an id or a login key is taken. */
async function insertWithFactors(context: DataContext, connection: Row<"connections">, { row, user }: Ready): Promise<boolean> {
  if (user.mfa_factors === undefined) return insertUsers(context, connection, [row]);
  // The factors are stored before the account. They must not get to an account that exists.
  const known = await findOne(context.data.users, { user_id: row.user_id }, ["user_id"]);
  if (known !== undefined) return false;
  const removeFactors = await insertImportedFactors(context, row.user_id, user.mfa_factors);
  if (await insertUsers(context, connection, [row])) return true;
  await removeFactors();
  return false;
}

function sumOfIgnored(users: readonly Ready[]): number {
  return users.reduce((sum, { user }) => sum + ignoredMembers(user), 0);
}

async function readUser(
  context: ServiceContext,
  connection: Row<"connections">,
  given: unknown,
): Promise<Ready | { readonly faults: readonly ImportFault[] }> {
  const invalid = findFault(given, 0);
  if (invalid !== undefined) return { faults: [{ code: "INVALID_FORMAT", message: invalid }] };
  const parsed = await importedUserFieldsSchema.safeParseAsync(given, { error: issueText });
  if (!parsed.success) {
    return { faults: parsed.error.issues.map(({ message, path }) => ({ code: "INVALID_FORMAT", message, path: path.join(".") })) };
  }
  const refusal = accessFault(parsed.data, connection);
  if (refusal !== undefined) return { faults: [{ code: "INVALID_FORMAT", ...refusal }] };
  const { password_hash: plain, custom_password_hash: custom, mfa_factors: factors = [], ...user } = parsed.data;
  const hash = custom === undefined ? plain : storedForm(custom);
  const path = custom === undefined ? "password_hash" : "custom_password_hash";
  const hashed = plain !== undefined || custom !== undefined;
  if (hashed && connection.strategy !== "auth0")
    return { faults: [{ code: "INVALID_FORMAT", message: "The connection has no passwords.", path }] };
  if (hashed && (hash === undefined || !context.secrets.hasher.accepts(hash)))
    return { faults: [{ code: "UNSUPPORTED_HASH", message: unsupportedMessage(hash), path }] };
  try {
    const row = accountRow(context, connection, user);
    const password =
      hash === undefined
        ? undefined
        : { id: context.random.record("pwd_"), user_id: row.user_id, hash, set_through: null, created_at: context.now() };
    return { given, user: parsed.data, row: { ...row, ...factorColumns(context, factors), password_id: password?.id ?? null }, password };
  } catch (error) {
    return { faults: [faultOf(error)] };
  }
}

function factorColumns(context: ServiceContext, factors: readonly ImportedFactor[]): Partial<Row<"users">> {
  return factors.length === 0 ? {} : { enrolled_factors: typesOfImported(factors), factors_changed_at: context.now() };
}

function unsupportedMessage(hash: string | undefined): string {
  const excess = hash === undefined ? undefined : excessOf(hash);
  return `This service cannot verify this hash${excess === undefined ? "" : `: ${excess}`}.`;
}

const exists: ImportFault = { code: "DUPLICATED_USER", message: "The user already exists." };

/**
 * Updates the existing user that an imported user matches.
 * @returns a fault if the imported user matches several users or a user in another connection, or if the metadata would
 * be too large.
 */
async function updateKnown(context: DataContext, { user, row }: Ready): Promise<ImportFault | undefined> {
  const known = await findKnown(context.data, row, user.user_id);
  if (known === undefined) return exists;
  const { name, nickname, given_name, family_name, picture, blocked, email_verified, phone_verified, app_metadata, user_metadata } = user;
  const changes = { name, nickname, given_name, family_name, picture, blocked, phone_verified };
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const apply = (current: Row<"users">): Partial<Row<"users">> => ({
    ...set,
    ...(namesClaim(user) && { standard_claims: changeClaims(current.standard_claims, user) }),
    ...(phone_verified === true && provenSignUp),
    ...(email_verified !== undefined && statedProof(current, email_verified)),
    ...boundedMetadata(
      context.config.metadataBytes,
      {
        app_metadata: app_metadata ? mergeSettings(current.app_metadata, app_metadata) : current.app_metadata,
        user_metadata: user_metadata ? mergeSettings(current.user_metadata, user_metadata) : current.user_metadata,
      },
      current,
    ),
    updated_at: context.now(),
  });
  const problem = user.mfa_factors && (await addImportedFactors(context, known, user.mfa_factors));
  if (problem !== undefined) return { code: "MFA_FACTORS_FAILED", message: problem, path: "mfa_factors" };
  try {
    const { outcome } = await changeRow(context.data.users, { user_id: known.user_id }, apply);
    if (outcome !== "changed") return exists;
    if (blocked === true) await endAccess(context, { event: "block", userId: known.user_id });
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/**
 * Returns the proof of an email address after an administrator stated whether it is verified. The statement never
 * replaces a stronger proof.
 */
function statedProof(user: Row<"users">, verified: boolean): Partial<EmailProofFields> {
  if (!verified) return unprovenEmail;
  return isUnproven(user) ? provenEmail(user.email, "administrator") : {};
}

/**
 * Converts an `invalid_request` error to the fault for one user. Throws any other error again, because it comes from
 * the data store and must end the import.
 */
function faultOf(error: unknown): ImportFault {
  if (!isPosternError(error) || error.code !== "invalid_request") throw error;
  return { code: "INVALID_FORMAT", message: error.message.replace(/^body: /, "") };
}

async function findKnown(data: TenantData, row: Row<"users">, givenId: string | undefined): Promise<Row<"users"> | undefined> {
  const { connection, user_id: userId, email_key: email, username_key: username, phone_key: phone } = row;
  const wheres = [
    ...(givenId === undefined ? [] : [{ user_id: userId }]),
    ...(email === null ? [] : [{ connection, email_key: email }]),
    ...(username === null ? [] : [{ connection, username_key: username }]),
    ...(phone === null ? [] : [{ connection, phone_key: phone }]),
  ];
  const found = new Map<string, Row<"users">>();
  for (const where of wheres) {
    const user = await findOne(data.users, where);
    if (user !== undefined) found.set(user.user_id, user);
  }
  const [first, ...others] = found.values();
  return others.length === 0 && first?.connection === connection ? first : undefined;
}
