import { isFunction, isPlainObject } from "./option-schemas.ts";

/** Describes a value in an error message. A secret is never repeated. */
export function describeValue(value: unknown, isSecret: boolean): string {
  if (isPlainObject(value) && isFunction(value["then"])) return "a promise (is an `await` missing?)";
  if (Array.isArray(value)) return describeList(value, isSecret);
  if (isPlainObject(value))
    return value.constructor === Object || !isFunction(value.constructor) ? "an object" : `an object (${value.constructor.name})`;
  if (typeof value === "string") return isSecret || value === "" ? `text of ${value.length} characters` : `'${value.slice(0, 100)}'`;
  if (isFunction(value)) return "a function";
  return isSecret && typeof value !== "undefined" && value !== null ? `a ${typeof value}` : String(value);
}

function describeList(list: readonly unknown[], isSecret: boolean): string {
  if (list.length === 0) return "an empty list";
  if (!isSecret) return `the list ${JSON.stringify(list).slice(0, 100)}`;
  if (list.some((key) => isPlainObject(key) && key["secret"] === ""))
    return "a list with an empty secret (is its environment variable set? `node --env-file=.env` reads .env)";
  return "a list";
}
