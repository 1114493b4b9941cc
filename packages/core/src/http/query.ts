import { findFault } from "../store/json-fault.ts";
import { invalidInput } from "./validation.ts";

/**
 * Reads the parameters of an address, in one walk however many there are. One that is given more than once is a list.
 * @throws {PosternError} `invalid_request` for text that no database may be given.
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
  // Not by assignment: `__proto__` is a name like any other.
  return Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]));
}
