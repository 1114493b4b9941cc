import type { SearchFieldName } from "./ast.ts";
import { QueryError } from "./error.ts";

/** A field that `q` can name, and the rules by which a value in `q` becomes a condition on a field of the row. */
interface SearchField {
  /** The field of the row. */
  readonly field: string;
  /** The path inside an `object` field. */
  readonly path?: readonly string[];
  /**
   * - `string`: compared unchanged. `folded`: converted with `fold` first, for a field that stores folded text.
   * - `integer`: a whole number. `boolean`: `true` or `false`.
   * - `instant`: an ISO 8601 date-time or a prefix of one: `2024`, `2024-05` and `2024-05-31` mean the whole year,
   *   month or day. The zone is UTC unless one is given.
   * - `ulid-time`: like `instant`, for a field that contains a ULID, which begins with the time.
   * - `object`: a member may follow (`app_metadata.plan.name`). A quoted value is text. An unquoted number, `true` or
   *   `false` matches the typed value and the same text.
   */
  readonly type: "string" | "folded" | "integer" | "instant" | "ulid-time" | "boolean" | "object";
  /** Converts text as the field stores it, for the type `folded`. Default: to lower case. */
  readonly fold?: (text: string) => string;
  /** Whether `*middle*` is supported, which no index accelerates. */
  readonly contains?: true;
  /**
   * The value that the row stores if the field has no value (`0`, `''`). It must be the smallest value of its type. It
   * matches no comparison, and `_exists_` treats the field as missing.
   */
  readonly missing?: string | number;
}

/** The fields that `q` can search in a collection. Other fields are unknown to callers. */
export interface SearchTable {
  /** The fields by the name that callers use, including dots: `email`, `identities.connection`, `app_metadata`. */
  readonly fields: { readonly [name: string]: SearchField };
  /**
   * The fields in which words without a field are searched: anywhere in a field that allows `contains`, otherwise at
   * its start. Undefined: words without a field are rejected.
   */
  readonly words?: readonly SearchField[];
  /**
   * Whether an index covers every field. A query is then rejected if only `NOT` or `_exists_` select its records, because
   * no index serves these. Default: false.
   */
  readonly isIndexed?: boolean;
}

/**
 * The maximum number of members that a query can name inside an `object` field. Requests cannot store JSON that is nested
 * deeper. SQLite joins a table for each member and one for the value, and joins at most 64.
 */
export const deepestPath = 63;

/** A field in the table, and the path of members that follows it in the query. */
export interface FieldMatch {
  readonly search: SearchField;
  readonly path: readonly string[];
}

/**
 * Finds the field of the table with the longest name that the given name starts with. Only an `object` field may have
 * more segments after it.
 */
export function findField({ segments, at }: SearchFieldName, table: SearchTable): FieldMatch {
  for (let length = segments.length; length > 0; length--) {
    const name = segments.slice(0, length).join(".");
    const search = Object.hasOwn(table.fields, name) ? table.fields[name] : undefined;
    if (search === undefined || (search.type !== "object" && length < segments.length)) continue;
    const path = [...(search.path ?? []), ...segments.slice(length)];
    if (path.length > deepestPath) throw new QueryError(at, `'${name}' is searched at most ${deepestPath} levels deep`);
    return { search, path };
  }
  throw new QueryError(at, `'${segments.join(".")}' is not a field that can be searched`);
}
