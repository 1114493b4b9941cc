import { invalidInput } from "../../http/validation.ts";

/** @throws {PosternError} `invalid_request` if the path parameter is not one of these names. */
export function checkName(names: ReadonlySet<string>, name: string, noun: string): void {
  if (!names.has(name)) throw invalidInput("path", `'${name.slice(0, 64)}' is not ${noun}`);
}
