import type { Json, JsonObject } from "../data/value.ts";
import { mergeSettings } from "./settings.ts";

/**
 * Options that are secrets: they are stored sealed, apart from the others, and never shown. A path of two names reaches into an object.
 *
 * - `client_secret`, `app_secret`, `consumerSecret`: our credentials at an upstream provider; `customHeaders` may carry them as well
 * - `twilio_token`, `gateway_authentication.secret`: our credentials at a sender of text messages
 * - `configuration`: what the scripts of a database keep, which is passwords of databases
 * - `decryptionKey`, `signing_key.key`: private keys
 */
const secretPaths: readonly (readonly [string] | readonly [string, string])[] = [
  ["client_secret"],
  ["app_secret"],
  ["consumerSecret"],
  ["customHeaders"],
  ["twilio_token"],
  ["gateway_authentication", "secret"],
  ["configuration"],
  ["decryptionKey"],
  ["decryptionKey", "key"],
  ["signing_key", "key"],
];

/** Upstream strategies keep options that nobody here knows; text under such a name is taken for a secret too. */
const secretName = /(secret|password|passphrase|private_?key|api_?key|(access|refresh|auth|bearer)_?token)$/i;

/** Whether what has this name is a secret, wherever it stands: what is sealed in options is also what no log keeps. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) || secretPaths.some((path) => path.at(-1) === name);
}

/** Options without their secrets, and the secrets under their paths (`signing_key.key`). */
export interface SplitOptions {
  readonly options: JsonObject;
  /** `null`: the caller takes the secret away. */
  readonly secrets: JsonObject;
}

/** Takes the secrets out of options. */
export function splitSecrets(options: JsonObject): SplitOptions {
  const kept = new Map(Object.entries(options));
  const secrets: [string, Json][] = [];
  for (const [name, inner] of [...secretPaths, ...unlisted(options)]) {
    const value = kept.get(name);
    if (value === undefined) continue;
    if (inner === undefined) {
      // A key that comes with its certificate is an object: only the key in it is secret, and has its own path.
      if (name === "decryptionKey" && isObject(value)) continue;
      kept.delete(name);
      secrets.push([name, value === "" ? null : value]);
    } else if (isObject(value) && Object.hasOwn(value, inner)) {
      const { [inner]: secret = null, ...rest } = value;
      kept.set(name, rest);
      secrets.push([`${name}.${inner}`, secret === "" ? null : secret]);
    }
  }
  return { options: Object.fromEntries(kept), secrets: Object.fromEntries(secrets) };
}

function unlisted(options: JsonObject): [string][] {
  const known = new Set(secretPaths.map(([name]) => name));
  return Object.entries(options).flatMap(([name, value]): [string][] =>
    typeof value === "string" && secretName.test(name) && !known.has(name) ? [[name]] : [],
  );
}

/** Puts secrets back where they were taken from: for whoever talks to the provider, never for a reply. */
export function joinSecrets(options: JsonObject, secrets: JsonObject): JsonObject {
  const joined = new Map(Object.entries(options));
  const nested = secretPaths.flatMap(([name, inner]) => (inner === undefined ? [] : [{ path: `${name}.${inner}`, name, inner }]));
  for (const [path, secret] of Object.entries(secrets)) {
    const place = nested.find((candidate) => candidate.path === path);
    const outer = place && joined.get(place.name);
    if (place === undefined) joined.set(path, secret);
    else if (isObject(outer)) joined.set(place.name, { ...outer, [place.inner]: secret });
  }
  return Object.fromEntries(joined);
}

/** Secrets by their paths after a change: those that were not sent stay, those that were sent as null go. A whole takes the place of its parts, and they of it. */
export function mergeSecrets(stored: JsonObject, sent: JsonObject): JsonObject {
  const overlaps = (path: string): boolean =>
    Object.keys(sent).some((other) => path.startsWith(`${other}.`) || other.startsWith(`${path}.`));
  const kept = Object.entries(stored).filter(([path]) => !overlaps(path));
  return mergeSettings(Object.fromEntries(kept), sent);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
