import { loggedText } from "../../identity/providers/provider-text.ts";
import type { UpstreamTokens } from "../../identity/providers/upstream-tokens.ts";
import { isObject, type Json, type JsonObject } from "../../store/value.ts";

/** The maximum number of values, and their maximum depth. A provider decides how much it sends. */
const maximumValues = 500;
const maximumDepth = 8;

/** Returns what a provider sent about a user for display: without tokens, and limited in length. */
export function shownClaims(claims: JsonObject, tokens: UpstreamTokens | undefined): JsonObject {
  const secrets = [tokens?.access, tokens?.refresh].filter((token) => token !== undefined);
  let values = 0;
  const show = (value: Json, depth: number): Json => {
    if (typeof value === "string") return loggedText(value, secrets);
    if (typeof value !== "object" || value === null) return value;
    if (depth === maximumDepth) return "…";
    return Array.isArray(value) ? value.filter(fits).map((item) => show(item, depth + 1)) : members(value, depth + 1);
  };
  const fits = (): boolean => (values += 1) <= maximumValues;
  const members = (object: Json, depth: number): JsonObject =>
    Object.fromEntries(
      Object.entries(isObject(object) ? object : {})
        .filter(fits)
        .map(([name, value]) => [loggedText(name, secrets), show(value, depth)]),
    );
  return members(claims, 0);
}
