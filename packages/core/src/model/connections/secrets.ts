import type { Json, JsonObject } from "../../store/value.ts";
import { mergeSettings } from "../settings.ts";

/**
 * Options that are secrets, by the end of their names, wherever in the options they stand: `client_secret`, `app_secret`, `consumerSecret`,
 * `gateway_authentication.secret`, `twilio_token`, `api_token`, `signingKey`, `private_key` … Upstream strategies keep options that nobody here knows, so that a
 * list of whole names would miss some.
 */
const secretName =
  /(secret|password|passwd|passphrase|credentials?|token|(private|signing|decryption|encryption|secret|shared|api|access|account)[_-]?key)$/i;

/** Secrets by other names: headers that carry our credentials, and what the scripts of a database keep, which is passwords of databases. */
const secretNames = new Set(["customHeaders", "configuration"]);

/** What is named like a secret in the vendor's own options and holds none: ways to sign in, scripts that change a password, names of claims and of parameters. */
const openNames = new Set(["authentication_methods", "customScripts", "fieldsMap", "attribute_map", "authParamsMap"]);

/**
 * Whether a value is a secret, by its name or because it is a private key: what is sealed in options is also what no log keeps. An object that is named like a key
 * is none as a whole: it is a pair of a private key and its certificate, which is shown.
 * @param inKey whether it stands in such an object: there the private one is called `key`.
 */
export function isSecret(name: string, value: unknown, inKey = false): boolean {
  // A switch, such as whether to ask for a token.
  if (typeof value === "boolean") return false;
  if (isPrivateKey(value)) return true;
  if (isObject(value) && isKeyName(name)) return false;
  return secretName.test(name) || secretNames.has(name) || (inKey && name === "key");
}

/** Whether a value is a private or a shared key by its form: PEM, or a JWK (RFC 7518 section 6: `d` is what is private, `k` what is shared). */
export function isPrivateKey(value: unknown): boolean {
  return typeof value === "string"
    ? value.includes("PRIVATE KEY-----")
    : isObject(value) && "kty" in value && ("d" in value || "k" in value);
}

/** Options without their secrets, and the secrets under their paths, written as JSON pointers (RFC 6901): `/signing_key/key`. */
export interface SplitOptions {
  readonly options: JsonObject;
  /** `null`: the caller takes the secret away. */
  readonly secrets: JsonObject;
}

/**
 * Takes the secrets out of options: they are stored sealed, apart from the others, and never shown. Besides what is named like a secret these are private keys
 * by their form, PEM or JWK. A list with a secret in it is one as a whole, because its places shift.
 */
export function splitSecrets(options: JsonObject): SplitOptions {
  const secrets: [string, Json][] = [];
  const shown = (object: JsonObject, path: string, inKey: boolean): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]): [string, Json][] => {
        const pointer = `${path}/${escapeName(name)}`;
        if (path === "" && openNames.has(name)) return [[name, value]];
        if (isSecret(name, value, inKey) || isListOfSecrets(value)) {
          secrets.push([pointer, value === "" ? null : value]);
          return [];
        }
        return [[name, isObject(value) ? shown(value, pointer, isKeyName(name)) : value]];
      }),
    );
  return { options: shown(options, "", false), secrets: Object.fromEntries(secrets) };
}

function isListOfSecrets(value: Json): boolean {
  return (
    Array.isArray(value) && value.some((item: Json) => isPrivateKey(item) || isListOfSecrets(item) || (isObject(item) && hasSecrets(item)))
  );
}

function hasSecrets(object: JsonObject): boolean {
  return Object.keys(splitSecrets(object).secrets).length > 0;
}

function isKeyName(name: string): boolean {
  return secretName.test(name) && /key$/i.test(name);
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Secrets by their paths after a change: those that were not sent stay, those that were sent as null go. A whole takes the place of its parts, and they of it. */
export function mergeSecrets(stored: JsonObject, sent: JsonObject): JsonObject {
  const overlaps = (path: string): boolean =>
    Object.keys(sent).some((other) => path.startsWith(`${other}/`) || other.startsWith(`${path}/`));
  const kept = Object.entries(stored).filter(([path]) => !overlaps(path));
  return mergeSettings(Object.fromEntries(kept), sent);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
