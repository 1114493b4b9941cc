import type { AnyRow } from "./contract.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type TenantCollectionName } from "./schema.ts";

/** The place of an encrypted text. The text can be decrypted only there: not in another tenant, row or field. */
export interface SealedPlace {
  readonly tenantId: string;
  /** The row's collection. For values that callers carry and that are not stored: the kind of the value. */
  readonly collection: string;
  /** The row's key. */
  readonly id: string;
  /** The row's field. For a member of an object: the field, `#` and the member. */
  readonly field: string;
}

type Described = typeof schema;

/** Collections with an encrypted field. */
export type SealedCollectionName = {
  [Name in TenantCollectionName]: Described[Name] extends { readonly sealed: string } ? Name : never;
}[TenantCollectionName];

/** The description of a collection with an encrypted field. */
export type SealedDescription = CollectionDescription & { readonly name: SealedCollectionName; readonly sealed: string };

/**
 * Every collection with an encrypted field. Re-encryption, the check of the keys and the search for secrets at rest use
 * this list.
 */
export const sealedCollections: readonly SealedDescription[] = Object.values(schema).filter((description) => "sealed" in description);

/** Returns the place of a row's encrypted field, or of one member of it. */
export function sealedPlaceOf(collection: SealedCollectionName, tenantId: string, id: string, member?: string): SealedPlace {
  const { sealed } = schema[collection];
  return { tenantId, collection, id, field: member === undefined ? sealed : `${sealed}#${member}` };
}

/** One encrypted text of a row. */
export interface SealedText {
  readonly place: SealedPlace;
  readonly text: string;
  /** Its name in the encrypted field if that is an object. */
  readonly member?: string;
}

/** Returns every encrypted text of a stored row. */
export function sealedTexts({ name, key, sealed }: SealedDescription, row: AnyRow): readonly SealedText[] {
  const [tenantId, id] = [String(row["tenant_id"]), String(row[key[0] ?? ""])];
  const value = row[sealed];
  if (typeof value === "string") return [{ place: sealedPlaceOf(name, tenantId, id), text: value }];
  return Object.entries(value ?? {}).map(([member, text]) => ({
    place: sealedPlaceOf(name, tenantId, id, member),
    text: String(text),
    member,
  }));
}
