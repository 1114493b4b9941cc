import type { JsonObject } from "./value.ts";

/**
 * One field of a record.
 *
 * - `string`: text of at most `length` characters that may be compared, ordered and indexed, byte by byte (binary collation).
 *   Core never stores NUL or half a surrogate pair in any text: it refuses them where requests come in.
 *   `ascii`: core never stores anything but ASCII in it, so that a database with short index entries may reserve one byte a character.
 * - `text`: text of any length; never in a condition.
 * - `integer`: a whole number within ±(2^53 - 1). `instant`: the same, holding milliseconds since 1970.
 * - `boolean`.
 * - `strings`: an ordered list of strings. `object`: a JSON object. Both are stored and returned whole, never in a flat condition.
 */
export type Field =
  | { readonly type: "string"; readonly length: number; readonly ascii?: true; readonly nullable?: true }
  | { readonly type: "text" | "integer" | "instant" | "boolean" | "strings" | "object"; readonly nullable?: true };

/** The names of the types of {@link Field}. */
export type FieldType = Field["type"];

/**
 * A record described as data. Row types, SQL, the memory adapter's uniqueness, the contract suite's cases and the reference pages all come from it.
 *
 * A collection with `scope: "tenant"` has a `tenant_id` besides its `fields`; it stands first in the key, in each unique key and in each index.
 */
export interface CollectionDescription {
  /** The collection's name: a table, a bucket, a map. */
  readonly name: string;
  /** What a row stands for, in one sentence. */
  readonly about: string;
  /** `tenant`: every row belongs to one tenant and is reached only through its scope. `global`: one set for the whole installation. */
  readonly scope: "tenant" | "global";
  /** Every field but `tenant_id`. */
  readonly fields: { readonly [name: string]: Field };
  /** The fields that identify a row (after `tenant_id`). Never null, never changed. */
  readonly key: readonly string[];
  /** Further unique keys. A row with a null in one of them conflicts with nothing. */
  readonly unique: readonly (readonly string[])[];
  /** Orders that conditions and pages need; the key follows each of them by itself. */
  readonly indexes: readonly (readonly string[])[];
  /** What is counted and never walked: indexes without the key after them. Where equal entries are stored once (PostgreSQL) a whole tenant's fit in a few pages. */
  readonly counted?: readonly (readonly string[])[];
  /** Indexes without the tenant, for what `sweep` asks across tenants. */
  readonly acrossTenants?: readonly (readonly string[])[];
  /** Fields that the Management API may sort a list by. Never null, and each leads an index, alone or after `listedBy`. */
  readonly sortable: readonly string[];
  /** The field whose equality every list carries, standing first in the indexes that lists use. */
  readonly listedBy?: string;
  /** The instant after which `sweep` may remove the row; null keeps it. It has an index of its own, without the tenant. */
  readonly expiry?: string;
  /**
   * The field that holds what is sealed with the host's key ring: a `text` sealed as a whole, or an `object` each of whose members is. The field `seal` beside it
   * says by which key, and has an index of its own, without the tenant: how `sweep` finds what an older key sealed, and reads nothing else.
   */
  readonly sealed?: string;
  /** A host may leave this collection out; the routes that need it are then not mounted. */
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

/** A row of a described collection, without `tenant_id`: what code inside a tenant sees. */
export type RowOf<D extends CollectionDescription> = {
  readonly [Name in keyof D["fields"]]: FieldValue<D["fields"][Name]>;
};

type FieldName<D extends CollectionDescription> = keyof D["fields"] & string;

/** Describes a collection; the compiler checks that keys, indexes and sortable fields name fields that exist. */
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

/** Text that can be compared and indexed, `length` characters at most. */
export const string = <const Length extends number>(length: Length) => ({ type: "string", length }) as const;
/** The same, ASCII only. */
export const ascii = <const Length extends number>(length: Length) => ({ type: "string", length, ascii: true }) as const;
/** An identifier that Postern made or that a caller may name. */
export const id = ascii(64);
/** A user id: at most 255 ASCII characters, as OpenID Connect Core section 2 demands of `sub`. */
export const userId = ascii(255);
/** A SHA-256 in base64url. */
export const hash = ascii(64);
/** Who sealed the record's sealed field: the id of the key, a dot, and random text that names this very sealing; '' where nothing is sealed. */
export const seal = ascii(64);
export const text = { type: "text" } as const;
export const integer = { type: "integer" } as const;
export const instant = { type: "instant" } as const;
export const boolean = { type: "boolean" } as const;
export const strings = { type: "strings" } as const;
export const object = { type: "object" } as const;
/** The same field, which may also be null. */
export const nullable = <const F extends Field>(field: F) => ({ ...field, nullable: true }) as const;
