import type { JsonObject } from "../../store/value.ts";
import { invalidBody } from "../../model/settings.ts";

/** The metadata of one account. */
interface UserMetadata {
  readonly app_metadata: JsonObject;
  readonly user_metadata: JsonObject;
}

const none: UserMetadata = { app_metadata: {}, user_metadata: {} };
const encoder = new TextEncoder();

/** Adds the keys that are missing in the stored metadata. Skips `null` values. */
export function addMissingMetadata(stored: JsonObject, added: JsonObject): JsonObject {
  const missing = Object.entries(added).filter(([key, value]) => value !== null && !Object.hasOwn(stored, key));
  return missing.length === 0 ? stored : Object.fromEntries([...Object.entries(stored), ...missing]);
}

/**
 * Checks the size of an account's metadata before they are stored. The size is that of both fields together as JSON, in
 * bytes of UTF-8. Returns only the two fields.
 * @param maximumBytes the maximum size of both fields together.
 * @param stored the metadata before the change. Metadata that exceed the maximum are accepted if the change does not
 * make them larger.
 * @throws {PosternError} `invalid_request` that names the field that grew most.
 */
export function boundedMetadata(maximumBytes: number, { app_metadata, user_metadata }: UserMetadata, stored = none): UserMetadata {
  const metadata = { app_metadata, user_metadata };
  if (app_metadata === stored.app_metadata && user_metadata === stored.user_metadata) return metadata;
  const [app, user] = [bytesOf(app_metadata), bytesOf(user_metadata)];
  if (app + user <= maximumBytes) return metadata;
  const [appGrowth, userGrowth] = [app - bytesOf(stored.app_metadata), user - bytesOf(stored.user_metadata)];
  if (appGrowth + userGrowth > 0) {
    const field = appGrowth > userGrowth ? "app_metadata" : "user_metadata";
    throw invalidBody(
      `'${field}' is too large: 'app_metadata' and 'user_metadata' of a user must have at most ${maximumBytes} bytes together, as JSON`,
    );
  }
  return metadata;
}

function bytesOf(metadata: JsonObject): number {
  return encoder.encode(JSON.stringify(metadata)).length;
}
