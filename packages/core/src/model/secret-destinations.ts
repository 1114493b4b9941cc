import { sameJson } from "../store/same-json.ts";
import type { Json, JsonObject } from "../store/value.ts";
import { invalidBody } from "./settings.ts";

/**
 * A stored secret is never sent to a new place. Each kind of settings that has a secret declares its destination: the
 * fields that decide where the secret is sent. A request that changes one of them must contain the secret, so that only
 * a caller who knows the secret can direct it elsewhere.
 */
export type SecretDestination = readonly string[];

/** The fields of a destination whose values differ. Absent, null and the empty text are the same. */
export function changedDestination(destination: SecretDestination, before: JsonObject, after: JsonObject): readonly string[] {
  const valueOf = (settings: JsonObject, name: string): Json =>
    Object.hasOwn(settings, name) && settings[name] !== "" ? (settings[name] ?? null) : null;
  return destination.filter((name) => !sameJson(valueOf(before, name), valueOf(after, name)));
}

/**
 * Requires that stored secrets are sent again if the destination changes.
 * @param changed the changed fields of the destination, as the body names them.
 * @param missing the stored secrets that the body does not contain, as the body names them.
 * @throws {PosternError} `invalid_request` that names both.
 */
export function requireSecretsAgain(changed: readonly string[], missing: readonly string[]): void {
  if (changed.length === 0 || missing.length === 0) return;
  const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");
  throw invalidBody(`send ${list(missing)} again: ${list(changed)} decides where stored secrets are sent`);
}

/** The message of schemas for a URL or host name that contains credentials. */
export const mustNotNameUser = "must not contain a user name or password";

/**
 * Returns `true` if a URL or a host name contains a user name or password. Such a secret would be stored unsealed and
 * shown.
 */
export function namesUser(text: string): boolean {
  const [, authority = text] = /^[a-z][a-z0-9+.-]*:[/\\]*([^/\\?#]*)/i.exec(text) ?? [];
  return authority.includes("@");
}

/** Removes the user name, the password and the query from a URL for logs. Returns any other text unchanged. */
export function withoutUrlSecrets(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>@]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi,
    (_, scheme: string, user = "", rest: string, query = "") =>
      `${scheme}${user === "" ? "" : "[left out]@"}${rest}${query === "" ? "" : "?[left out]"}`,
  );
}
