/** The entry point `@postern/core/adapter`: the data store contract, for authors of data adapters. */

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
  FoundRow,
  Match,
  Operators,
  Order,
} from "./store/contract.ts";
export { defineAdapter } from "./store/contract.ts";
export { ConflictError, UnavailableError, isConflict, isUnavailable } from "./store/conflicts.ts";
export type { CollectionDescription, Field, FieldType, FieldValue, RowOf } from "./store/description.ts";
export { compareScalars, compareText, matches, matchesFilter } from "./store/match.ts";
export type { CollectionName, GlobalCollectionName, Row, StoredRow, TenantCollectionName } from "./store/schema.ts";
export { schema, storedFields, storedIndexes, storedKey, storedUnique } from "./store/schema.ts";
export type { TenantData } from "./store/tenant-data.ts";
export { tenantData } from "./store/tenant-data.ts";
export type { Json, JsonObject, Scalar, Value } from "./store/value.ts";
