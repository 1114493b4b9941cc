import type { AnyRow } from "./contract.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type TenantCollectionName } from "./schema.ts";

/**
 * Identifies where an encrypted text belongs. The text can be decrypted only there, not in another tenant, row or
 * field.
 */
export interface SealedPlace {
  readonly tenantId: string;
  /** The row's collection. If a caller carries the value and it is not stored: the kind of value. */
  readonly collection: string;
  /** The row's key. Several fields are joined with `/`. */
  readonly id: string;
  /** The row's field. If a member of an object is encrypted: the field, `#` and the name of the member. */
  readonly field: string;
}

type Described = typeof schema;

/** Collections with an encrypted field. */
type SealedCollectionName = {
  [Name in TenantCollectionName]: Described[Name] extends { readonly sealed: string } ? Name : never;
}[TenantCollectionName];

/** The description of a collection with an encrypted field. */
export type SealedDescription = CollectionDescription & { readonly name: SealedCollectionName; readonly sealed: string };

/**
 * Every collection with an encrypted field. Three functions use this list: re-encryption, the check of the encryption
 * keys, and the search for unencrypted secrets.
 */
export const sealedCollections: readonly SealedDescription[] = Object.values(schema).filter((description) => "sealed" in description);

/** Returns the place of a row's encrypted field, or the place of one member in that field. */
export function sealedPlaceOf(collection: SealedCollectionName, tenantId: string, id: string, member?: string): SealedPlace {
  const { sealed } = schema[collection];
  return { tenantId, collection, id, field: member === undefined ? sealed : `${sealed}#${member}` };
}

/** One encrypted text in a row. */
interface SealedText {
  readonly place: SealedPlace;
  readonly text: string;
  /** The member's name in the encrypted field, if the field is an object. */
  readonly member?: string;
}

/** Returns every encrypted text in a stored row. */
export function sealedTexts({ name, key, sealed }: SealedDescription, row: AnyRow): readonly SealedText[] {
  const [tenantId, id] = [String(row["tenant_id"]), key.map((field) => String(row[field])).join("/")];
  const value = row[sealed];
  if (typeof value === "string") return [{ place: sealedPlaceOf(name, tenantId, id), text: value }];
  return Object.entries(value ?? {}).map(([member, text]) => ({
    place: sealedPlaceOf(name, tenantId, id, member),
    text: String(text),
    member,
  }));
}
