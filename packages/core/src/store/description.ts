import type { JsonObject } from "./value.ts";

/**
 * One field of a row.
 *
 * - `string`: text of at most `length` characters that can be compared, ordered and indexed, byte by byte (binary
 *   collation). Core never stores NUL or lone surrogates in any text: requests that contain them are rejected. `ascii`:
 *   core stores only ASCII in the field, so a database with short index entries can reserve one byte per character.
 * - `text`: text of any length. Conditions never use it.
 * - `integer`: a whole number within ±(2^53 - 1). `instant`: an integer with milliseconds since 1970 (UTC).
 * - `boolean`.
 * - `strings`: an ordered list of strings. `object`: a JSON object. Both are stored and returned as a whole. Flat
 *   conditions never use them.
 */
export type Field =
  | { readonly type: "string"; readonly length: number; readonly ascii?: true; readonly nullable?: true }
  | { readonly type: "text" | "integer" | "instant" | "boolean" | "strings" | "object"; readonly nullable?: true };

/** The type of a {@link Field}. */
export type FieldType = Field["type"];

/**
 * The description of a collection. Row types, SQL, the unique keys of the memory adapter, the cases of the contract
 * suite and the reference pages derive from it.
 *
 * A collection with `scope: "tenant"` has a field `tenant_id` in addition to `fields`. `tenant_id` comes first in the
 * key, in each unique key and in each index in `indexes`.
 */
export interface CollectionDescription {
  /** The name of the collection: of a table, a bucket or a map. */
  readonly name: string;
  /** The meaning of a row, in one or two sentences. */
  readonly about: string;
  /**
   * `tenant`: every row belongs to one tenant and is only accessible in that tenant's scope. `global`: the rows belong
   * to no tenant.
   */
  readonly scope: "tenant" | "global";
  /** All fields except `tenant_id`. */
  readonly fields: { readonly [name: string]: Field };
  /** The fields that identify a row (after `tenant_id`). They are never null and never change. */
  readonly key: readonly string[];
  /** Additional unique keys. A row with null in one of a unique key's fields conflicts with no other row. */
  readonly unique: readonly (readonly string[])[];
  /** Indexes for conditions and pages. The key is appended to each of them. */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Indexes that serve only counts, without the key at the end. If a database stores equal index entries once, as
   * PostgreSQL does, the entries of a whole tenant fit in a few pages.
   */
  readonly counted?: readonly (readonly string[])[];
  /** Indexes without the tenant, for queries that `sweep` sends across all tenants. */
  readonly acrossTenants?: readonly (readonly string[])[];
  /**
   * Fields by which the Management API can sort a list. They are never null. Each one leads an index, either alone or
   * after `listedBy`.
   */
  readonly sortable: readonly string[];
  /** The field that every query for a list compares for equality. It comes first in the indexes that lists use. */
  readonly listedBy?: string;
  /**
   * The field with the instant after which `sweep` may delete the row; null means never. It has an index without the
   * tenant.
   */
  readonly expiry?: string;
  /**
   * The field with the encrypted value: a `text` that is encrypted as a whole, or an `object` whose members are
   * encrypted one by one. The row's field `seal` contains the id of the encryption key, and has an index without the
   * tenant. `sweep` uses that index to find values that were encrypted with an old key.
   */
  readonly sealed?: string;
  /**
   * Whether a host may omit this collection. If it does, the routes and features that need the collection are not
   * available.
   */
  readonly optional?: true;
}

/** The TypeScript type of one field. */
export type FieldValue<F extends Field> =
  | (F extends { readonly type: "string" | "text" }
      ? string
      : F extends { readonly type: "integer" | "instant" }
        ? number
        : F extends { readonly type: "boolean" }
          ? boolean
          : F extends { readonly type: "strings" }
            ? readonly string[]
            : JsonObject)
  | (F extends { readonly nullable: true } ? null : never);

/** A row of a collection as code in a tenant's scope receives it, without `tenant_id`. */
export type RowOf<D extends CollectionDescription> = {
  readonly [Name in keyof D["fields"]]: FieldValue<D["fields"][Name]>;
};

type FieldName<D extends CollectionDescription> = keyof D["fields"] & string;

/** Describes a collection. The compiler checks that keys, indexes and sortable fields name existing fields. */
export function collection<const D extends CollectionDescription>(
  description: D & {
    readonly key: readonly FieldName<D>[];
    readonly unique: readonly (readonly FieldName<D>[])[];
    readonly indexes: readonly (readonly FieldName<D>[])[];
    readonly counted?: readonly (readonly FieldName<D>[])[];
    readonly acrossTenants?: readonly (readonly FieldName<D>[])[];
    readonly sortable: readonly FieldName<D>[];
    readonly listedBy?: FieldName<D>;
    readonly expiry?: FieldName<D>;
    readonly sealed?: FieldName<D>;
  },
): D {
  return description;
}

/** Text that can be compared and indexed, with at most `length` characters. */
export const string = <const Length extends number>(length: Length) => ({ type: "string", length }) as const;
/** Like {@link string}, ASCII only. */
export const ascii = <const Length extends number>(length: Length) => ({ type: "string", length, ascii: true }) as const;
/** An identifier that Postern generated or that a caller may choose. */
export const id = ascii(64);
/** A user id: at most 255 ASCII characters, as OpenID Connect Core section 2 requires for `sub`. */
export const userId = ascii(255);
/** A SHA-256 hash in base64url. */
export const hash = ascii(64);
/**
 * Identifies one encryption of the row's encrypted field: the id of the key, a dot, and random text. '' if nothing is
 * encrypted.
 */
export const seal = ascii(64);
export const text = { type: "text" } as const;
export const integer = { type: "integer" } as const;
export const instant = { type: "instant" } as const;
export const boolean = { type: "boolean" } as const;
export const strings = { type: "strings" } as const;
export const object = { type: "object" } as const;
/** Makes a field nullable. */
export const nullable = <const F extends Field>(field: F) => ({ ...field, nullable: true }) as const;
