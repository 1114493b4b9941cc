import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { cutText, type UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { Email } from "../../model/fields.ts";
import { emailProofOf, provenEmail, unprovenEmail, type EmailProofFields, type EmailProofKind } from "../../model/users/email-proof.ts";
import { freeUserId, insertUsers } from "./insert-user.ts";
import { newAccount } from "./create-user.ts";

type User = Row<"users">;

/** Characters of a provider's own id that fit behind the longest name of a connection. */
const longestSubject = 120;

/** What an account of a provider is looked up by: who the person is there, case kept. One that is long, or holds what no id may hold, stands as its hash. */
export async function subjectKey(subject: string): Promise<string> {
  const fits =
    subject.length <= longestSubject && /^[\x21-\x7e]+$/.test(subject) && !subject.endsWith("@clients") && !subject.startsWith("sha256.");
  return fits ? subject : `sha256.${await sha256(subject)}`;
}

/** The account of somebody at a connection of a provider. */
export async function findUpstreamAccount(
  data: Pick<TenantData, "users">,
  { name }: Pick<Row<"connections">, "name">,
  subject: string,
): Promise<User | undefined> {
  const [account] = await data.users.find({ where: { connection: name, subject_key: await subjectKey(subject) }, limit: 1 });
  return account;
}

/**
 * Makes the account of somebody at a provider, or finds the one that was made meanwhile: of parallel first logins one makes it. Its id is the connection and who they are there; where another
 * account has that id, because somebody gave it one that looks so, it is an id of its own.
 * @param linkedTo the primary account that it is one of; left out: it stands alone.
 */
export async function makeUpstreamAccount(
  context: DataContext,
  connection: Row<"connections">,
  profile: UpstreamProfile,
  linkedTo = "",
): Promise<{ readonly account: User; readonly made: boolean }> {
  const { data } = context;
  const key = await subjectKey(profile.subject);
  for (const id of [key, context.random.record()]) {
    const fields = { user_id: `${connection.name}|${id}`, ...ownFields(connection, profile) };
    const account: User = { ...newAccount(connection, context.now(), fields, proofKind(profile)), subject_key: key, linked_to: linkedTo };
    if (await insertUsers(context, connection, [account])) return { account, made: true };
    const known = await findUpstreamAccount(data, connection, profile.subject);
    if (known !== undefined) return { account: known, made: false };
    const freed = await freeUserId(context, account.user_id);
    if (freed && (await insertUsers(context, connection, [account]))) return { account, made: true };
  }
  throw new PosternError("conflict", "The user already exists.");
}

/** Brings the record of an account up to what its provider says now. What the provider does not say stays. */
export async function refreshUpstreamAccount(
  context: DataContext,
  connection: Pick<Row<"connections">, "options">,
  account: User,
  profile: UpstreamProfile,
): Promise<User> {
  const entries = Object.entries(ownFields(connection, profile, account));
  const changed = Object.fromEntries(entries.filter(([field, value]) => account[field as keyof typeof account] !== value));
  if (Object.keys(changed).length === 0) return account;
  const set = { ...changed, updated_at: context.now() };
  const matched = await context.data.users.update(
    { user_id: account.user_id, subject_key: account.subject_key },
    { set, add: { revision: 1 } },
  );
  return matched === 1 ? { ...account, ...set, revision: account.revision + 1 } : account;
}

/**
 * The fields that a login sets. `set_user_root_attributes` of the connection decides about the name and the like; default: at each login. The address and
 * its proof are set at each login: what the provider says of them changes.
 * @param known the account, at a later login; left out at the first one.
 */
function ownFields(
  { options }: Pick<Row<"connections">, "options">,
  profile: UpstreamProfile,
  known?: User,
): ReturnType<typeof profileFields> & Partial<EmailProofFields> {
  const { set_user_root_attributes: when = "on_each_login" } = options;
  const { email, email_verified, ...root } = profileFields(profile);
  const address = email === undefined ? {} : { email, email_verified, ...(known && proofOf(known, email, profile)) };
  return when === "on_each_login" || (when === "on_first_login" && known === undefined) ? { ...address, ...root } : address;
}

/** The kind of proof that a provider's statement about a verified address is. */
function proofKind({ emailOwned }: UpstreamProfile): EmailProofKind {
  return emailOwned ? "provider" : "asserted";
}

/** The proof of an address after a later login. The owner of a mailbox proved more than the provider says of it. */
function proofOf(known: User, email: string, profile: UpstreamProfile): EmailProofFields {
  if (!profile.emailVerified) return unprovenEmail;
  const keeps = emailProofOf(known) === "mailbox" && email.toLowerCase() === known.email.toLowerCase();
  return provenEmail(email, keeps ? "mailbox" : proofKind(profile));
}

/** A profile as a user's record has it: what does not fit is left out, for nobody can do anything about it at a login. */
function profileFields(profile: UpstreamProfile) {
  const email = Email.safeParse(profile.email).data;
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
