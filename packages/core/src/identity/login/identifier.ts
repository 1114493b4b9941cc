import type { Match } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { Email, PhoneNumber } from "../../model/fields.ts";

/** What somebody typed to say who they are, as accounts are looked up by it. */
export interface Identifier {
  /** Folded, so that every spelling that finds the same account is the same text: lower case, and phone numbers without spaces. */
  readonly text: string;
  /** The login keys that it may be, the one that counts first. */
  readonly keys: readonly LoginKey[];
}

type LoginKey = "email_key" | "phone_key" | "username_key";

/** The longest text that each key holds, in characters. */
const longest: { readonly [Key in LoginKey]: number } = { email_key: 320, phone_key: 32, username_key: 128 };

/**
 * Reads an identifier for a password database. Its form says what it is; it may be a username besides where the connection has usernames,
 * which can look like anything. Identifiers that the connection's `attributes` do not make active find nobody.
 */
export function readIdentifier(connection: Row<"connections">, typed: string): Identifier {
  const { attributes, requires_username: hasUsernames = false } = databaseOptions(connection);
  const trimmed = typed.trim();
  const phone = trimmed.replaceAll(/[\s().-]/g, "");
  const kind: LoginKey = PhoneNumber.safeParse(phone).success ? "phone_key" : trimmed.includes("@") ? "email_key" : "username_key";
  const text = kind === "phone_key" ? phone : trimmed.toLowerCase();

  const active = (key: LoginKey): boolean => {
    if (attributes === undefined) return key === kind || hasUsernames;
    const { email, phone_number, username } = attributes;
    const { identifier } = { email_key: email, phone_key: phone_number, username_key: username }[key] ?? {};
    return identifier?.active === true;
  };
  const possible = kind === "username_key" ? [kind] : [kind, "username_key" as const];
  return { text, keys: possible.filter((key) => active(key) && text.length <= longest[key]) };
}

/** What an account can be known by. */
export type IdentifierKind = "email" | "username" | "phone";

/** What accounts of a connection are known by, for the field that asks for it. At least one: without any, nobody signs in anyway. */
export function identifierKinds(connection: Row<"connections">): readonly IdentifierKind[] {
  const { attributes, requires_username: hasUsernames = false } = databaseOptions(connection);
  if (attributes === undefined) return hasUsernames ? ["email", "username"] : ["email"];
  const { email, username, phone_number: phone } = attributes;
  const kinds = { email, username, phone };
  return (["email", "username", "phone"] as const).filter((kind) => kinds[kind]?.identifier?.active === true);
}

/** The account that an identifier belongs to. One statement, two where the identifier may be a username besides: at the same time, and whoever it is. */
export async function findAccount(
  data: Pick<TenantData, "users">,
  connection: Row<"connections">,
  { text, keys }: Identifier,
): Promise<Row<"users"> | undefined> {
  const found = await Promise.all(
    keys.map((key) => {
      const where: Match<Row<"users">> = { connection: connection.name, [key]: text };
      return data.users.find({ where, limit: 1 });
    }),
  );
  return found.flat()[0];
}

/** An identifier as the audit log may show it. People type passwords into the wrong field: only what looks like an address or a number is shown. */
export function loggedName({ text }: Identifier): string {
  return Email.safeParse(text).success || PhoneNumber.safeParse(text).success ? text : "";
}
