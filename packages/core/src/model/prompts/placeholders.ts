import { placeholdersOf } from "../../locales/translations.ts";
import { en } from "../../locales/en.ts";
import type { MessageKey } from "../../locales/messages.ts";

/**
 * Auth0's placeholders, with the names of the values that can replace each placeholder. The first value that the page
 * has is used.
 */
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

/** The values that every page has: the client, the organization that the user signs in to, and the tenant. */
const everywhere = ["client", "organization", "tenant"];

/**
 * Matches a placeholder in Auth0's syntax. Postern's own placeholder syntax has no meaning in a tenant's texts: single
 * braces are plain text.
 */
const pattern = /\$\{\s*([\w.]+)\s*\}/;

function meaningsOf(placeholder: string): readonly string[] {
  return Object.hasOwn(meanings, placeholder) ? (meanings[placeholder] ?? []) : [];
}

/** Returns the placeholders that a text may contain if it replaces these messages. */
export function knownPlaceholders(keys: readonly MessageKey[]): readonly string[] {
  const values = [...everywhere, ...keys.flatMap((key) => placeholdersOf(en[key]))];
  return Object.keys(meanings).filter((placeholder) => meaningsOf(placeholder).some((name) => values.includes(name)));
}

/** Returns the first placeholder in a text that is not available for these messages. */
export function unknownPlaceholder(text: string, keys: readonly MessageKey[]): string | undefined {
  const known = knownPlaceholders(keys);
  return text.split(pattern).find((piece, index) => index % 2 === 1 && !known.includes(piece));
}

/**
 * Splits a tenant's text into pieces and replaces each placeholder with its value. Returns undefined if a placeholder
 * has no value.
 */
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
