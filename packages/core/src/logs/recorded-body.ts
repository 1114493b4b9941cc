import type { Json } from "../store/value.ts";
import { isPrivateKey, isSecret } from "../model/connections/secrets.ts";
import { withoutUrlSecrets } from "../model/secret-destinations.ts";

/** The maximum length, in characters of JSON, of a logged body, and of each member of a longer body. */
const maximumLength = 8000;
const keptOfMember = 500;
/** The maximum depth. Deeper values are left out. */
const maximumDepth = 12;

/**
 * Names of secrets in bodies, other than those in the options of a connection: password hashes; `link_with`, an ID
 * token; the headers of log streams.
 */
const otherSecret = /(pass|pwd|hash)$|^(key|link_with|httpAuthorization|httpCustomHeaders)$/i;

/** Settings whose name looks like a secret: `refresh_token` holds the lifetimes of refresh tokens. */
const settings = new Set(["refresh_token"]);

/**
 * Returns the part of a request body that is written to the log: without secrets and limited in length. A placeholder
 * replaces each value that is left out. Removes every value under the name of a secret, and private keys, which are
 * recognized by their format. Other secrets are not recognized.
 */
export function recordedBody(body: unknown): Json | undefined {
  // A bare string or number has no name that shows whether it is a secret.
  if (typeof body !== "object" || body === null) return undefined;
  const full = withoutSecrets(body, 0, false);
  if (lengthOf(full) <= maximumLength || !isObject(full)) return short(full, maximumLength);
  const members = Object.entries(full).map(([name, value]) => [name, short(value, keptOfMember)] as const);
  return short(Object.fromEntries(members), maximumLength);
}

function short(value: Json, limit: number): Json {
  const length = lengthOf(value);
  return length <= limit ? value : `[left out: ${length} characters]`;
}

function lengthOf(value: Json): number {
  return JSON.stringify(value).length;
}

/** Names of settings that hold a URL or a host. The URL may contain a secret in its query, or a password. */
const placeName = /(endpoint|url|uri|issuer|domain|host)$/i;

/** @param isPlace whether the value or an object that contains it is under the name of a URL or host. */
function withoutSecrets(value: unknown, depth: number, isPlace: boolean): Json {
  if (isPrivateKey(value)) return leftOut;
  if (typeof value === "string" && isPlace) return withoutUrlSecrets(value).replace(/^[^/?#]*@/, `${leftOut}@`);
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "object" || value === null) return null;
  if (depth === maximumDepth) return leftOut;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1, isPlace));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isRemoved(name, member) ? leftOut : withoutSecrets(member, depth + 1, isPlace || name === "sink" || placeName.test(name)),
    ]),
  );
}

const leftOut = "[left out]";

function isRemoved(name: string, value: unknown): boolean {
  if (value === null || typeof value === "boolean") return false;
  if (typeof value === "object" && settings.has(name)) return false;
  return isSecret(name, value) || otherSecret.test(name);
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
