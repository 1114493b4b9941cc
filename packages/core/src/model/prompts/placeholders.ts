import { placeholdersOf } from "../../locales/translations.ts";
import { en } from "../../locales/en.ts";
import type { MessageKey } from "../../locales/messages.ts";

/** What the vendor's placeholders stand for, by the names of ours: the first that a page knows. */
const meanings: { readonly [placeholder: string]: readonly string[] } = {
  clientName: ["client"],
  companyName: ["organization", "tenant"],
  tenantName: ["tenant"],
  organizationName: ["organization"],
  inviterName: ["inviter"],
  userName: ["account"],
  email: ["address", "email", "account"],
  phoneNumber: ["address"],
  connectionName: ["provider"],
};

/** What any page may know: the client that somebody comes from, the organization that they sign in to, and whose pages these are. */
const everywhere = ["client", "organization", "tenant"];

/** A placeholder of the vendor's. Our own look different and mean nothing in a tenant's texts: there, braces are braces. */
const pattern = /\$\{\s*([\w.]+)\s*\}/;

function meaningsOf(placeholder: string): readonly string[] {
  return Object.hasOwn(meanings, placeholder) ? (meanings[placeholder] ?? []) : [];
}

/** The placeholders that a text in place of these of ours may hold. */
export function knownPlaceholders(keys: readonly MessageKey[]): readonly string[] {
  const values = [...everywhere, ...keys.flatMap((key) => placeholdersOf(en[key]))];
  return Object.keys(meanings).filter((placeholder) => meaningsOf(placeholder).some((name) => values.includes(name)));
}

/** The first placeholder of a text that means nothing in place of these of ours. */
export function unknownPlaceholder(text: string, keys: readonly MessageKey[]): string | undefined {
  const known = knownPlaceholders(keys);
  return text.split(pattern).find((piece, index) => index % 2 === 1 && !known.includes(piece));
}

/** A tenant's text as its pieces, each placeholder with its value; undefined where it names what is not known here. */
export function fillPlaceholders<Value>(
  text: string,
  values: { readonly [name: string]: Value | string | undefined },
): (string | Value)[] | undefined {
  const pieces: (string | Value)[] = [];
  for (const [index, piece] of text.split(pattern).entries()) {
    const value =
      index % 2 === 0
        ? piece
        : meaningsOf(piece)
            .map((name) => values[name])
            .find((each) => each !== undefined && each !== "");
    if (value === undefined) return undefined;
    pieces.push(value);
  }
  return pieces;
}
