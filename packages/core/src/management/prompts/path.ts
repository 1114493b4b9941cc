import { invalidInput } from "../../http/validation.ts";

/**
 * Requires that a path parameter is one of these names.
 * @throws {PosternError} `invalid_request`.
 */
export function checkName(names: ReadonlySet<string>, name: string, noun: string): void {
  if (!names.has(name)) throw invalidInput("path", `'${name.slice(0, 64)}' is not ${noun}`);
}
