import { sameJson } from "../store/same-json.ts";
import type { Json, JsonObject } from "../store/value.ts";
import { invalidBody } from "./settings.ts";

/**
 * The names of the fields that determine where a stored secret is sent. Each kind of settings with a secret declares
 * these fields. A request that changes one of them must contain the secret. Otherwise a caller who does not know the
 * secret could have Postern send it to another server.
 */
export type SecretDestination = readonly string[];

/** Returns the fields of a destination whose values differ. Absent, null and an empty string are equal. */
export function changedDestination(destination: SecretDestination, before: JsonObject, after: JsonObject): readonly string[] {
  const valueOf = (settings: JsonObject, name: string): Json =>
    Object.hasOwn(settings, name) && settings[name] !== "" ? (settings[name] ?? null) : null;
  return destination.filter((name) => !sameJson(valueOf(before, name), valueOf(after, name)));
}

/**
 * Requires that stored secrets are sent again if the destination changes.
 * @param changed the changed fields of the destination, named as in the body.
 * @param missing the stored secrets that the body does not contain, named as in the body.
 * @throws {PosternError} `invalid_request` that names the changed fields and the missing secrets.
 */
export function requireSecretsAgain(changed: readonly string[], missing: readonly string[]): void {
  if (changed.length === 0 || missing.length === 0) return;
  const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");
  throw invalidBody(`send ${list(missing)} again: ${list(changed)} decides where stored secrets are sent`);
}

/** The validation message for a URL or host name that contains credentials. */
export const mustNotNameUser = "must not contain a user name or password";

/**
 * Matches a URL or a host name without a user name or password. Such credentials would be stored unencrypted and
 * returned.
 */
export const withoutUser = /^(?:[A-Za-z][A-Za-z0-9+.-]*:[/\\]*(?![/\\])[^/\\?#@]*(?:[/\\?#][\s\S]*)?|(?![A-Za-z][A-Za-z0-9+.-]*:)[^@]*)$/;

/**
 * Removes the user name, the password and the query from each URL in a text, for logs. The rest of the text stays
 * unchanged.
 */
export function withoutUrlSecrets(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>@]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi,
    (_, scheme: string, user = "", rest: string, query = "") =>
      `${scheme}${user === "" ? "" : "[left out]@"}${rest}${query === "" ? "" : "?[left out]"}`,
  );
}
