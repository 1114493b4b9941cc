import type { JsonObject } from "../../data/value.ts";
import { invalidBody } from "../../model/settings.ts";

/** Bytes of one user's metadata of one kind, as JSON. Single requests are bounded; what grows with each of them must be too, for whatever reads the user's row. */
const most = 1024 * 1024;
const encoder = new TextEncoder();

/** Adds the keys that are not there, `null` being no value. */
export function addMissingMetadata(stored: JsonObject, added: JsonObject): JsonObject {
  const missing = Object.entries(added).filter(([key, value]) => value !== null && !Object.hasOwn(stored, key));
  return missing.length === 0 ? stored : Object.fromEntries([...Object.entries(stored), ...missing]);
}

/**
 * Metadata as it is to be stored.
 * @param before what is stored already: that is not measured again.
 * @throws {PosternError} `invalid_request` where it has more than a mebibyte.
 */
export function boundedMetadata(field: "app_metadata" | "user_metadata", metadata: JsonObject, before?: JsonObject): JsonObject {
  if (metadata === before || encoder.encode(JSON.stringify(metadata)).length <= most) return metadata;
  throw invalidBody(`'${field}' must have at most ${most} bytes`);
}
