import { cutText } from "../../model/connections/strategies/provider.ts";

/** Characters of a text of the provider, or of a claim, that are logged. */
const maximum = 200;

/** Minimum characters of a secret that is removed: the replacement of a shorter one would make the text unreadable. */
const minimumSecret = 6;

const hidden = "[left out]";
const jwt = /eyJ[\w-]+(?:\.[\w-]*)+/g;
const controlCharacters = /\p{Cc}+/gu;

/** Prepares text of a provider for logs: removes secrets, JWTs and control characters, and limits the length. */
export function loggedText(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= minimumSecret);
  const safe = known.reduce(
    (rest, secret) => rest.replaceAll(secret, hidden).replaceAll(encodeURIComponent(secret.toWellFormed()), hidden),
    text,
  );
  return cutText(safe.replace(jwt, hidden).replace(controlCharacters, " ").toWellFormed(), maximum);
}

/** A URL without user name, password, query and fragment. */
export function loggedUrl(url: string): string {
  if (!URL.canParse(url)) return "an invalid URL";
  const { origin, pathname } = new URL(url);
  return cutText(origin + pathname, maximum);
}

/** The `error` and `error_description` of a provider. */
export interface ProviderRefusal {
  readonly error: string;
  readonly error_description?: string;
}

/**
 * Reads `error` and `error_description` of a response body. Also reads the object that Microsoft Graph and Facebook
 * send as `error`.
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

/** The members of an object; empty for any other value. */
export function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
