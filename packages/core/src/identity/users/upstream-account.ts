import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { cutText, type UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { changeClaims } from "../../model/users/standard-claims.ts";
import { emailProofOf, provenEmail, unprovenEmail, type EmailProofFields, type EmailProofKind } from "../../model/users/email-proof.ts";
import { queueLogoutsOfUser } from "../sessions/logouts.ts";
import { freeUserId, insertUsers } from "./insert-user.ts";
import { newAccount } from "./create-user.ts";

type User = Row<"users">;

/**
 * The maximum length of a provider's subject, in characters. A user id consists of the connection name and the subject,
 * and must not exceed its own maximum.
 */
const maximumSubject = 120;

/**
 * Returns the key to look up an account of an identity provider: the subject at the provider, case-sensitive. A subject
 * that is too long or contains characters that are not allowed in ids is replaced by its hash.
 */
export async function subjectKey(subject: string): Promise<string> {
  const fits =
    subject.length <= maximumSubject && /^[\x21-\x7e]+$/.test(subject) && !subject.endsWith("@clients") && !subject.startsWith("sha256.");
  return fits ? subject : `sha256.${await sha256(subject)}`;
}

/** Finds the account in a connection for the provider's subject. */
export async function findUpstreamAccount(
  data: Pick<TenantData, "users">,
  { name }: Pick<Row<"connections">, "name">,
  subject: string,
): Promise<User | undefined> {
  const account = await findOne(data.users, { connection: name, subject_key: await subjectKey(subject) });
  return account;
}

/**
 * Creates the account for a provider's user, or returns the existing account. Of parallel first logins, only one
 * creates it. The user id consists of the connection name and the provider's subject. If an account with a custom id
 * already has this user id, a random id is used.
 * @param linkedTo the primary account to link to; left out: the account is not linked.
 */
export async function makeUpstreamAccount(
  context: DataContext,
  connection: Row<"connections">,
  profile: UpstreamProfile,
  linkedTo = "",
): Promise<{ readonly account: User; readonly isNew: boolean }> {
  const { data } = context;
  const key = await subjectKey(profile.subject);
  for (const id of [key, context.random.record()]) {
    const { standard_claims: claims = null, ...own } = ownFields(connection, profile);
    const row = newAccount(connection, context.now(), { user_id: `${connection.name}|${id}`, ...own }, proofKind(profile));
    const account: User = { ...row, standard_claims: claims, subject_key: key, linked_to: linkedTo };
    if (await insertUsers(context, connection, [account])) return { account, isNew: true };
    const known = await findUpstreamAccount(data, connection, profile.subject);
    if (known !== undefined) return { account: known, isNew: false };
    const freed = await freeUserId(context, account.user_id);
    if (freed && (await insertUsers(context, connection, [account]))) return { account, isNew: true };
  }
  throw new PosternError("conflict", "The user already exists.");
}

/** Returns the members of the user that a first login with a profile creates. Nothing is stored. */
export async function previewUpstreamAccount(connection: Row<"connections">, profile: UpstreamProfile): Promise<JsonObject> {
  const { standard_claims: claims, ...own } = ownFields(connection, profile);
  return { user_id: `${connection.name}|${await subjectKey(profile.subject)}`, ...own, ...claims };
}

/** Updates an account with the current profile from the provider. Keeps columns that the profile does not contain. */
export async function refreshUpstreamAccount(
  context: DataContext,
  connection: Pick<Row<"connections">, "options">,
  account: User,
  profile: UpstreamProfile,
): Promise<User> {
  const entries = Object.entries(ownFields(connection, profile, account));
  const changed = Object.fromEntries(entries.filter(([field, value]) => !sameJson(account[field as keyof typeof account], value ?? null)));
  if (Object.keys(changed).length === 0) return account;
  const { email } = changed;
  // Before the write, so that a crash loses no logout token. The address of a linked account does not identify its user.
  if (typeof email === "string" && account.linked_to === "" && email.toLowerCase() !== account.email.toLowerCase())
    await queueLogoutsOfUser(context, account.user_id, "email-identifier-changed");
  const set = { ...changed, updated_at: context.now() };
  const matched = await context.data.users.update(
    { user_id: account.user_id, subject_key: account.subject_key },
    { set, add: { revision: 1 } },
  );
  return matched === 1 ? { ...account, ...set, revision: account.revision + 1 } : account;
}

/**
 * Returns the columns that a login sets. The connection option `set_user_root_attributes` controls when the name and
 * the other profile fields are set; default: at each login. The email address and its proof are set at each login,
 * because the provider may withdraw its statement that the email address is verified.
 * @param known the existing account; left out at the first login.
 */
function ownFields({ options }: Pick<Row<"connections">, "options">, profile: UpstreamProfile, known?: User): OwnFields {
  const { set_user_root_attributes: when = "on_each_login" } = options;
  const { email, email_verified, ...texts } = profileFields(profile);
  const root = { ...texts, ...claimsColumn(profile, known) };
  const address = email === undefined ? {} : { email, email_verified, ...(known && proofOf(known, email, profile)) };
  return when === "on_each_login" || (when === "on_first_login" && known === undefined) ? { ...address, ...root } : address;
}

/** The columns that a login sets. */
type OwnFields = ReturnType<typeof profileFields> & Partial<EmailProofFields> & Partial<Pick<User, "standard_claims">>;

/**
 * Returns the column with the standard claims. Claims that the provider did not send stay. So do a stored language and
 * time zone, because the user may have chosen them.
 */
function claimsColumn({ claims }: UpstreamProfile, known: User | undefined): Partial<Pick<User, "standard_claims">> {
  if (claims === undefined) return {};
  const { locale, zoneinfo, ...others } = claims;
  const stored = known?.standard_claims ?? null;
  const change = {
    ...others,
    locale: stored?.["locale"] === undefined ? locale : undefined,
    zoneinfo: stored?.["zoneinfo"] === undefined ? zoneinfo : undefined,
  };
  return { standard_claims: changeClaims(stored, change) };
}

/** Returns the kind of proof for an email address that the provider states to be verified. */
function proofKind({ emailOwned }: UpstreamProfile): EmailProofKind {
  return emailOwned ? "provider" : "asserted";
}

/**
 * Returns the proof of an email address after a later login. A proof of the kind `mailbox` stays, because it is
 * stronger than the provider's statement.
 */
function proofOf(known: User, email: string, profile: UpstreamProfile): EmailProofFields {
  if (!profile.emailVerified) return unprovenEmail;
  const keeps = emailProofOf(known) === "mailbox" && email.toLowerCase() === known.email.toLowerCase();
  return provenEmail(email, keeps ? "mailbox" : proofKind(profile));
}

/**
 * Converts a provider's profile to columns of a user. Leaves out invalid values, because the user cannot correct them
 * during a login.
 */
function profileFields(profile: UpstreamProfile) {
  const { email } = profile;
  const short = (text: string | undefined): string | undefined => (text === undefined || text.length > 150 ? undefined : text);
  const { name, nickname, picture } = profile;
  const fields = {
    email,
    email_verified: email === undefined ? undefined : profile.emailVerified,
    name: name === undefined ? undefined : cutText(name, 300),
    nickname: nickname === undefined ? undefined : cutText(nickname, 300),
    given_name: short(profile.givenName),
    family_name: short(profile.familyName),
    picture: picture !== undefined && picture.length <= 2048 && /^https?:/.test(picture) && URL.canParse(picture) ? picture : undefined,
  };
  type Known = { -readonly [Field in keyof typeof fields]?: NonNullable<(typeof fields)[Field]> };
  const known: Known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return known;
}
