import { isObject, type Json, type JsonObject } from "../../store/value.ts";
import { mergeSettings } from "../settings.ts";

/**
 * Matches the names of secret options by their endings, at any depth: `client_secret`, `app_secret`, `consumerSecret`,
 * `gateway_authentication.secret`, `twilio_token`, `api_token`, `signingKey`, `private_key` … Strategies for identity
 * providers store unknown options, so a list of complete names would miss some secrets.
 */
const secretName =
  /(secret|password|passwd|passphrase|credentials?|token|(private|signing|decryption|encryption|secret|shared|api|access|account)[_-]?key)$/i;

/**
 * Names of secrets that {@link secretName} does not match: headers that contain credentials, the configuration of database
 * scripts, which contains passwords, and the settings of log streams with which anyone can send events.
 */
const secretNames = new Set(["customHeaders", "configuration", "segmentWriteKey", "sumoSourceAddress"]);

/**
 * Auth0 options whose names look like secrets but that do not contain secrets: sign-in methods, scripts that change a
 * password, and mappings of claims or parameters.
 */
const openNames = new Set(["authentication_methods", "customScripts", "fieldsMap", "attribute_map", "authParamsMap"]);

/**
 * Returns `true` if a value is a secret, because of its name or because it is a private key. Secrets are sealed in
 * options and removed from logs. An object whose name is that of a key is not a secret as a whole: it contains a
 * private key and its certificate, and the certificate is not secret.
 * @param inKey whether the value is in such an object, where the name of the private key is `key`.
 */
export function isSecret(name: string, value: unknown, inKey = false): boolean {
  // A boolean is a flag, such as an option that requests a token.
  if (typeof value === "boolean") return false;
  if (isPrivateKey(value)) return true;
  if (isObject(value) && isKeyName(name)) return false;
  return secretName.test(name) || secretNames.has(name) || (inKey && name === "key");
}

/**
 * Returns `true` if a value has the form of a private or a shared key: PEM, or a JWK (RFC 7518 section 6: `d` is
 * private, `k` is shared).
 */
export function isPrivateKey(value: unknown): boolean {
  return typeof value === "string"
    ? value.includes("PRIVATE KEY-----")
    : isObject(value) && "kty" in value && ("d" in value || "k" in value);
}

/**
 * Options without their secrets, and the secrets by path. A path is a JSON pointer (RFC 6901) such as
 * `/signing_key/key`.
 */
interface SplitOptions {
  readonly options: JsonObject;
  /** `null` removes the secret. */
  readonly secrets: JsonObject;
}

/**
 * Separates the secrets from options. Secrets are sealed, stored separately and never returned. Private keys are
 * recognized by their form (PEM or JWK), other secrets by their names. A list that contains a secret is treated as one
 * secret, because the positions of its items can change.
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

/**
 * Merges stored and sent secrets by path. Omitted secrets stay stored, and secrets that are null are removed. A sent
 * secret replaces stored secrets whose path contains its path or is inside it.
 */
export function mergeSecrets(stored: JsonObject, sent: JsonObject): JsonObject {
  const overlaps = (path: string): boolean =>
    Object.keys(sent).some((other) => path.startsWith(`${other}/`) || other.startsWith(`${path}/`));
  const kept = Object.entries(stored).filter(([path]) => !overlaps(path));
  return mergeSettings(Object.fromEntries(kept), sent);
}
