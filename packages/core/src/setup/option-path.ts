import type * as z from "zod";
import { docsOf, memberOf, type OptionDocs } from "./option-schemas.ts";

/** The path of an option, such as `["crypto", "secret"]`, or of a value inside an option. */
export type OptionPath = readonly PropertyKey[];

/** An option and its documentation for error messages. */
export interface DocumentedOption {
  readonly path: OptionPath;
  readonly schema: z.core.$ZodType;
  readonly docs: OptionDocs;
}

/** Returns the option that a value belongs to: the innermost documented option on the path to the value. */
export function optionAt(root: DocumentedOption, path: OptionPath): DocumentedOption {
  let [option, schema]: [DocumentedOption, z.core.$ZodType | undefined] = [root, root.schema];
  for (const [index, key] of path.entries()) {
    schema = memberOf(schema, key);
    if (schema === undefined) break;
    const docs = docsOf(schema);
    if (docs !== undefined) option = { path: path.slice(0, index + 1), schema, docs };
  }
  return option;
}

/** Returns the value at a path; `undefined` if it does not exist. */
export function valueAt(value: unknown, path: OptionPath): unknown {
  return path.reduce((outer: unknown, key) => (typeof outer === "object" && outer !== null ? Reflect.get(outer, key) : undefined), value);
}
