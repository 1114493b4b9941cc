import { findFault } from "../store/json-fault.ts";
import { invalidInput } from "./validation.ts";

/**
 * Reads the query parameters of a URL in one pass. A repeated parameter becomes a list.
 * @throws {PosternError} `invalid_request` for text that databases cannot store.
 */
export function readQuery(parameters: URLSearchParams): { readonly [name: string]: string | readonly string[] } {
  const given = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const fault = findFault(name, 0) ?? findFault(value, 0);
    if (fault !== undefined) throw invalidInput("query", fault);
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  // Built from entries instead of assignments, because `__proto__` is an ordinary parameter name here.
  return Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]));
}
