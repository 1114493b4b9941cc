import { boundedText, prefixTerm, quotedTerm } from "./read-parts.ts";

/** Describes how the records of a list are searched. */
interface NameSearch {
  /** Matches a text that can only be the id of a record. */
  readonly idPattern: RegExp;
  /** The field of the id. */
  readonly idField: string;
  /** The fields that are searched from their start. */
  readonly fields: readonly string[];
}

/**
 * Creates the search for what an operator typed: a full id, or the start of a name, also with a capital first letter.
 * @returns a function that returns undefined for an empty text.
 */
function nameSearch({ idPattern, idField, fields }: NameSearch): (typed: string) => string | undefined {
  const startsWith = (text: string): string => {
    const capitalized = text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
    return [...new Set([text, capitalized])].flatMap((name) => fields.map((field) => prefixTerm(field, name))).join(" OR ");
  };
  return (typed) => {
    const text = typed.trim().slice(0, 200);
    if (text === "") return undefined;
    if (idPattern.test(text)) return `${idField}:${quotedTerm(text)}`;
    return startsWith(boundedText(text, startsWith));
  };
}

/** Returns the search of organizations. */
export const organizationSearch = nameSearch({ idPattern: /^org_\w+$/, idField: "id", fields: ["name", "display_name"] });

/** Returns the search of connections. */
export const connectionSearch = nameSearch({ idPattern: /^con_\w+$/, idField: "id", fields: ["name", "display_name"] });

/** Returns the search of apps. An id has 32 characters, unless the seed chose it. */
export const appSearch = nameSearch({ idPattern: /^[A-Za-z0-9]{32}$/, idField: "client_id", fields: ["name", "client_id"] });

/** Returns the search of APIs. */
export const apiSearch = nameSearch({ idPattern: /^[A-Za-z0-9]{24,26}$/, idField: "id", fields: ["name", "identifier"] });
