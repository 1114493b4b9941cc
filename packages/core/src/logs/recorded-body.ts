import type { Json } from "../store/value.ts";
import { isPrivateKey, isSecret } from "../model/connections/secrets.ts";
import { withoutUrlSecrets } from "../model/secret-destinations.ts";

/** Characters of a body, as JSON, that the log keeps; and of one member of a body that has more than that. */
const kept = 8000;
const keptOfMember = 500;
/** Levels that are kept: what is deeper is left out unread. */
const maximumDepth = 12;

/** Names of secrets that bodies hold elsewhere than in the options of a connection: hashes of passwords; `link_with` is an ID token; headers of log streams. */
const otherSecret = /(pass|pwd|hash)$|^(key|link_with|httpAuthorization|httpCustomHeaders)$/i;

/** Settings that are called like a secret: of how refresh tokens live. */
const settings = new Set(["refresh_token"]);

/**
 * What the log keeps of a request's body: no secret, whatever the body was, and not more than a page of text. What is left out says so in its place.
 * Anything under a name of a secret goes, whole, and so do private keys, which are known by their form; another secret under another name is not known for one.
 */
export function recordedBody(body: unknown): Json | undefined {
  // Text or a number alone has no name that says what it is.
  if (typeof body !== "object" || body === null) return undefined;
  const whole = withoutSecrets(body, 0, false);
  if (lengthOf(whole) <= kept || !isObject(whole)) return short(whole, kept);
  const members = Object.entries(whole).map(([name, value]) => [name, short(value, keptOfMember)] as const);
  return short(Object.fromEntries(members), kept);
}

function short(value: Json, limit: number): Json {
  const length = lengthOf(value);
  return length <= limit ? value : `[left out: ${length} characters]`;
}

function lengthOf(value: Json): number {
  return JSON.stringify(value).length;
}

/** Settings that name a place to which something is sent: its URL may hold a secret in the query, or a password. */
const placeName = /(endpoint|url|uri|issuer|domain|host)$/i;

/** @param isPlace whether the value names a place, or stands in an object that does. */
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
      goes(name, member) ? leftOut : withoutSecrets(member, depth + 1, isPlace || name === "sink" || placeName.test(name)),
    ]),
  );
}

const leftOut = "[left out]";

function goes(name: string, value: unknown): boolean {
  if (value === null || typeof value === "boolean") return false;
  if (typeof value === "object" && settings.has(name)) return false;
  return isSecret(name, value) || otherSecret.test(name);
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
