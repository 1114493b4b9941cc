import { findFault } from "../store/json-fault.ts";
import { invalidInput } from "./validation.ts";

/**
 * Reads the query parameters of a URL in one pass. A repeated parameter becomes a list.
 * @param hasBrackets whether `name[]` and `name[0]` are items of the list `name`, as several HTTP clients write lists.
 * @throws {PosternError} `invalid_request` for text that databases cannot store.
 */
export function readQuery(parameters: URLSearchParams, hasBrackets = false): { readonly [name: string]: string | readonly string[] } {
  const given = new Map<string, string[]>();
  const lists = new Set<string>();
  for (const [key, value] of parameters) {
    const fault = findFault(key, 0) ?? findFault(value, 0);
    if (fault !== undefined) throw invalidInput("query", fault);
    const name = hasBrackets ? key.replace(/\[\d*\]$/, "") : key;
    if (name !== key) lists.add(name);
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  // Built from entries instead of assignments, because `__proto__` is an ordinary parameter name here.
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 && !lists.has(name) ? (values[0] ?? "") : values]),
  );
}
