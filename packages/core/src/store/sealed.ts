import type { AnyRow } from "./contract.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type TenantCollectionName } from "./schema.ts";

/** Where a sealed text stands. It opens there and nowhere else: not in another tenant, another record or another field. */
export interface Place {
  readonly tenantId: string;
  /** The record's collection; for what is carried by callers and not stored, what it is. */
  readonly collection: string;
  /** The record's key. */
  readonly id: string;
  /** The record's field; inside an object its name, a hash and the member. */
  readonly field: string;
}

type Described = typeof schema;

/** Collections whose records hold something sealed. */
export type SealedCollectionName = {
  [Name in TenantCollectionName]: Described[Name] extends { readonly sealed: string } ? Name : never;
}[TenantCollectionName];

/** The description of a collection whose records hold something sealed. */
export type SealedDescription = CollectionDescription & { readonly name: SealedCollectionName; readonly sealed: string };

/** Every collection whose records hold something sealed. What seals anew, what tries the keys and what looks for secrets at rest all go by this list. */
export const sealedCollections: readonly SealedDescription[] = Object.values(schema).filter((description) => "sealed" in description);

/** Where the sealed field of a record stands, or one member of it. */
export function placeOf(collection: SealedCollectionName, tenantId: string, id: string, member?: string): Place {
  const { sealed } = schema[collection];
  return { tenantId, collection, id, field: member === undefined ? sealed : `${sealed}#${member}` };
}

/** One sealed text of a record. */
export interface SealedText {
  readonly place: Place;
  readonly text: string;
  /** Its name in the sealed field, where that is an object. */
  readonly member?: string;
}

/** Every sealed text of a record as it is stored. */
export function sealedTexts({ name, key, sealed }: SealedDescription, row: AnyRow): readonly SealedText[] {
  const [tenantId, id] = [String(row["tenant_id"]), String(row[key[0] ?? ""])];
  const value = row[sealed];
  if (typeof value === "string") return [{ place: placeOf(name, tenantId, id), text: value }];
  return Object.entries(value ?? {}).map(([member, text]) => ({ place: placeOf(name, tenantId, id, member), text: String(text), member }));
}
