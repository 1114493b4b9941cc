import type { ManagementClient } from "../management-client.ts";
import { ManagementError } from "../management-error.ts";

/** The part of a page that the user's roles may not allow: the value, or the missing scopes. */
export type ReadPart<T> = { readonly value: T } | { readonly missingScopes: readonly string[] };

/** Reads a part of a page. Rejects with every other error than a missing scope. */
export async function readPart<T>(read: Promise<T>): Promise<ReadPart<T>> {
  try {
    return { value: await read };
  } catch (error) {
    if (error instanceof ManagementError && error.status === 403) return { missingScopes: error.missingScopes };
    throw error;
  }
}

/** Reads a part of a page that is only a detail. Returns undefined if the service does not return it. */
export async function readDetail<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ManagementError && error.status < 500) return undefined;
    throw error;
  }
}

/** The number of rows on a page of a list. */
export const pageSize = 50;

/** Returns a value as a quotedTerm term of a search. */
export function quotedTerm(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Returns a term of a search that matches what begins with a text. */
export function prefixTerm(field: string, text: string): string {
  return `${field}:${text.replaceAll(/[^\p{L}\p{N}_]/gu, "\\$&")}*`;
}

/** The maximum length of a search, in UTF-16 code units. The Management API rejects longer ones. */
const maximumSearch = 1000;

/**
 * Shortens a text until its search has an accepted length, because special characters are escaped and the text can occur
 * several times.
 */
export function boundedText(text: string, toSearch: (text: string) => string): string {
  const characters = Array.from(text);
  while (toSearch(characters.join("")).length > maximumSearch) characters.pop();
  return characters.join("");
}

/** Calls the Management API with a GET request. */
export function read(
  api: ManagementClient,
  path: readonly string[],
  query: { readonly [name: string]: string | undefined } = {},
): Promise<unknown> {
  return api.call("GET", ["api", "v2", ...path], { query });
}

/** Calls the Management API to change something. */
export function change(
  api: ManagementClient,
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: readonly string[],
  body?: unknown,
): Promise<unknown> {
  return api.call(method, ["api", "v2", ...path], body === undefined ? {} : { body });
}
