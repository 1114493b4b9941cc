import { invalidInput } from "../../http/validation.ts";

/** @throws {PosternError} `invalid_request` for what stands in a path and is none of these. */
export function checkName(names: ReadonlySet<string>, name: string, noun: string): void {
  if (!names.has(name)) throw invalidInput("path", `'${name.slice(0, 64)}' is not ${noun}`);
}
