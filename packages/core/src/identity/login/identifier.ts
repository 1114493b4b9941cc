import { findOne } from "../../store/find-one.ts";
import type { Match } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { emailSchema, foldEmail } from "../../model/email-address.ts";
import { invalidBody } from "../../model/settings.ts";
import { foldPhoneNumber, isE164, readPhoneNumber, type MisspelledPhone } from "../../model/phone-number.ts";

/** An identifier that a user typed, prepared for the lookup of an account. */
export interface Identifier {
  /**
   * Normalized, so that every spelling that finds the same account has the same text: lower case, and phone numbers
   * without separators.
   */
  readonly text: string;
  /** The login keys that the identifier may match, in order of precedence. */
  readonly keys: readonly LoginKey[];
}

type LoginKey = "email_key" | "phone_key" | "username_key";

/** The maximum length of each key, in characters. */
const longest: { readonly [Key in LoginKey]: number } = { email_key: 320, phone_key: 32, username_key: 128 };

/**
 * Parses an identifier for a password database. The format decides which login key it is. If the connection has
 * usernames, the identifier may also be a username, which can have any format. A kind of identifier that the
 * connection's `attributes` do not activate finds no account.
 */
export async function readIdentifier(connection: Row<"connections">, typed: string): Promise<Identifier> {
  const { attributes, requires_username: hasUsernames = false } = databaseOptions(connection);
  const trimmed = typed.trim();
  const phone = await readAsPhoneNumber(trimmed);
  const kind: LoginKey = phone !== undefined ? "phone_key" : trimmed.includes("@") ? "email_key" : "username_key";
  const text = phone ?? foldEmail(trimmed);

  const active = (key: LoginKey): boolean => {
    if (attributes === undefined) return key === kind || hasUsernames;
    const { email, phone_number, username } = attributes;
    const { identifier } = { email_key: email, phone_key: phone_number, username_key: username }[key] ?? {};
    return identifier?.active === true;
  };
  const possible = kind === "username_key" ? [kind] : [kind, "username_key" as const];
  return { text, keys: possible.filter((key) => active(key) && text.length <= longest[key]) };
}

/** Parses an identifier as the phone number of an account, which may have been stored with a national prefix. */
async function readAsPhoneNumber(typed: string): Promise<string | undefined> {
  const read = await readPhoneNumber(typed);
  if ("number" in read) return read.number;
  const folded = foldPhoneNumber(typed);
  return isE164(folded) ? folded : undefined;
}

/** A kind of identifier that accounts have. */
export type IdentifierKind = "email" | "username" | "phone";

/** Returns the kinds of identifiers that users of a connection sign in with, for the label of the login field. */
export function identifierKinds(connection: Row<"connections">): readonly IdentifierKind[] {
  const { attributes, requires_username: hasUsernames = false } = databaseOptions(connection);
  if (attributes === undefined) return hasUsernames ? ["email", "username"] : ["email"];
  const { email, username, phone_number: phone } = attributes;
  const kinds = { email, username, phone };
  return (["email", "username", "phone"] as const).filter((kind) => kinds[kind]?.identifier?.active === true);
}

/**
 * Returns the fault of an identifier that must be written in another way, because it can only be a phone number: the
 * accepted kinds include no usernames.
 */
export async function findMisspelledPhone(kinds: readonly IdentifierKind[], typed: string): Promise<MisspelledPhone | undefined> {
  if (!kinds.includes("phone") || kinds.includes("username")) return undefined;
  const read = await readPhoneNumber(typed);
  return "fault" in read && read.correction !== undefined ? read : undefined;
}

/**
 * Requires that the `username` of a client can be an identifier in a password database.
 * @throws {PosternError} `invalid_request` if it is a phone number that must be written in another way.
 */
export async function requireIdentifier(connection: Row<"connections">, username: string): Promise<void> {
  const misspelled = await findMisspelledPhone(identifierKinds(connection), username);
  if (misspelled !== undefined) throw invalidBody(`'username' ${misspelled.fault}`);
}

/**
 * Finds the account that signs in with an identifier. Sends one query, or two in parallel if the identifier may also be
 * a username. The number of queries does not depend on whether an account exists.
 */
export async function findAccount(
  data: Pick<TenantData, "users">,
  connection: Row<"connections">,
  { text, keys }: Identifier,
): Promise<Row<"users"> | undefined> {
  const found = await Promise.all(
    keys.map((key) => {
      const where: Match<Row<"users">> = { connection: connection.name, [key]: text };
      return findOne(data.users, where);
    }),
  );
  return found.find((user) => user !== undefined);
}

/**
 * Returns the identifier for the audit log if it looks like an email address or phone number, otherwise an empty
 * string. Users sometimes type their password into the identifier field, so other text is not logged.
 */
export function loggedName({ text }: Identifier): string {
  return emailSchema.safeParse(text).success || isE164(text) ? text : "";
}
