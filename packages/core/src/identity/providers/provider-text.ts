import { cutText } from "../../model/connections/strategies/provider.ts";

/** The maximum number of characters that are logged from a provider's text or from a claim. */
const maximum = 200;

/**
 * The minimum length of a secret that is removed from text. Removing shorter secrets would make the text unreadable.
 */
const minimumSecret = 6;

const hidden = "[left out]";
const jwt = /eyJ[\w-]+(?:\.[\w-]*)+/g;
const controlCharacters = /\p{Cc}+/gu;

/** Prepares text from a provider for logs: removes secrets, JWTs and control characters, and limits the length. */
export function loggedText(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= minimumSecret);
  const safe = known.reduce(
    (rest, secret) => rest.replaceAll(secret, hidden).replaceAll(encodeURIComponent(secret.toWellFormed()), hidden),
    text,
  );
  return cutText(safe.replace(jwt, hidden).replace(controlCharacters, " ").toWellFormed(), maximum);
}

/** Returns a URL without user name, password, query and fragment. */
export function loggedUrl(url: string): string {
  if (!URL.canParse(url)) return "an invalid URL";
  const { origin, pathname } = new URL(url);
  return cutText(origin + pathname, maximum);
}

/** The `error` and `error_description` in a provider's response. */
export interface ProviderRefusal {
  readonly error: string;
  readonly error_description?: string;
}

/**
 * Reads `error` and `error_description` from a response body. Supports `error` objects, which Microsoft Graph and
 * Facebook send, as well.
 */
export function readRefusal(body: unknown): ProviderRefusal | undefined {
  const { error, error_description: description } = membersOf(body);
  if (typeof error === "string" && error !== "")
    return { error, ...(typeof description === "string" && { error_description: description }) };
  const { code, type, message } = membersOf(error);
  const name = [code, type].find((value) => typeof value === "string" || typeof value === "number");
  if (name === undefined && typeof message !== "string") return undefined;
  return { error: String(name ?? "error"), ...(typeof message === "string" && { error_description: message }) };
}

/** Returns the members of an object; an empty object for any other value. */
export function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
