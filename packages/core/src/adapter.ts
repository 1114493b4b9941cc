/** The entry `@postern/core/adapter`: the data contract, for authors of data adapters. */

export { requireSupportedNode } from "./adapters/node-version.ts";
export type {
  AnyRow,
  CallOptions,
  Change,
  Collection,
  Collections,
  Condition,
  DataAdapter,
  FieldName,
  Filter,
  Find,
  Found,
  Match,
  Operators,
  Order,
} from "./data/contract.ts";
export { defineAdapter } from "./data/contract.ts";
export { ConflictError, UnavailableError, isConflict, isUnavailable } from "./data/conflicts.ts";
export type { CollectionDescription, Field, FieldType, FieldValue, RowOf } from "./data/description.ts";
export { compareScalars, compareText, matches, matchesFilter } from "./data/match.ts";
export type { CollectionName, GlobalCollectionName, Row, StoredRow, TenantCollectionName } from "./data/schema.ts";
export { schema, storedFields, storedIndexes, storedKey, storedUnique } from "./data/schema.ts";
export type { TenantData } from "./data/tenant-data.ts";
export { tenantData } from "./data/tenant-data.ts";
export type { Json, JsonObject, Scalar, Value } from "./data/value.ts";
