import type { FieldName } from "./ast.ts";
import { QueryError } from "./error.ts";

/** A field that `q` may name, and how what is written after it becomes a condition on a record's field. */
export interface SearchField {
  /** The record's field. */
  readonly field: string;
  /** Where inside an `object` field it is. */
  readonly path?: readonly string[];
  /**
   * - `string`: compared as it is. `folded`: lower-cased first, for a record's field that holds lower case.
   * - `integer`: a whole number. `boolean`: `true` or `false`.
   * - `instant`: an ISO 8601 date-time, or less: `2024`, `2024-05` and `2024-05-31` stand for that whole year, month or day (UTC unless a zone is written).
   * - `object`: any member may follow (`app_metadata.plan.name`). A quoted value is text; an unquoted number, `true` or `false` is that or the same text.
   */
  readonly type: "string" | "folded" | "integer" | "instant" | "boolean" | "object";
  /** Whether `*middle*` is answered, which no index helps with. */
  readonly contains?: true;
  /** The smallest value of the type, where the record stores it for "none" (`0`, `''`): it then neither matches nor exists. */
  readonly missing?: string | number;
}

/** What a collection's `q` understands. A field that is not here is unknown to callers. */
export interface SearchTable {
  /** By the name that callers write, dots included: `email`, `identities.connection`, `app_metadata`. */
  readonly fields: { readonly [name: string]: SearchField };
  /** Where words without a field are looked for: anywhere in a field that allows `contains`, else at its start. Absent: such words are refused. */
  readonly words?: readonly SearchField[];
}

/** A field found in the table, and the members that follow it. */
export interface Found {
  readonly search: SearchField;
  readonly path: readonly string[];
}

/** Finds the longest name in the table that a written field begins with; only an `object` may have more after it. */
export function findField({ segments, at }: FieldName, table: SearchTable): Found {
  for (let length = segments.length; length > 0; length--) {
    const name = segments.slice(0, length).join(".");
    const search = Object.hasOwn(table.fields, name) ? table.fields[name] : undefined;
    if (search === undefined || (search.type !== "object" && length < segments.length)) continue;
    return { search, path: [...(search.path ?? []), ...segments.slice(length)] };
  }
  throw new QueryError(at, `'${segments.join(".")}' is not a field that can be searched`);
}
