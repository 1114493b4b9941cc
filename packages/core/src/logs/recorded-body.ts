import { isObject, type Json } from "../store/value.ts";
import { isPrivateKey, isSecret } from "../model/connections/secrets.ts";
import { withoutUrlSecrets } from "../model/secret-destinations.ts";

/** The maximum length of a logged body, and of each member of a body that is longer, in characters of JSON. */
const maximumLength = 8000;
const keptOfMember = 500;
/** The maximum depth of nested values. Deeper values are left out. */
const maximumDepth = 12;

/**
 * The names of members that contain secrets, in addition to the secrets in the options of a connection: password
 * hashes, ID tokens (`link_with`), the headers that log streams send, and the credentials of services that send codes or
 * notifications for factors.
 */
const otherSecret = /(pass|pwd|hash)$|^(key|link_with|httpAuthorization|httpCustomHeaders|skey|p12|server_key|aws_access_key_id)$/i;

/** Settings whose name looks like that of a secret. `refresh_token` contains the lifetimes of refresh tokens. */
const settings = new Set(["refresh_token"]);

/**
 * Returns the part of a request body that is written to the log: without secrets, and limited in length. Replaces every
 * removed value with a placeholder. Removes values whose member name is that of a secret, and private keys, which are
 * recognized by their format. Does not recognize other secrets.
 */
export function recordedBody(body: unknown): Json | undefined {
  // A string or number outside an object is not logged, because no member name tells whether it is a secret.
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

/** Names of settings that contain a URL or a host. Such a URL may contain a password, or a secret in its query. */
const placeName = /(endpoint|url|uri|issuer|domain|host)$/i;

/**
 * Copies a value without its secrets. @param isPlace whether the value, or an object around it, has the name of a URL
 * or host.
 */
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
