import { PosternError } from "../errors.ts";

/**
 * Returns the API identifier that a request names, as `audience` or as `resource` (RFC 8707).
 * @throws {PosternError} `invalid_target` if both are sent and differ: a token for either would be for the wrong API.
 */
export function requestedAudience({ audience, resource }: { readonly audience?: string; readonly resource?: string }): string | undefined {
  if (audience !== undefined && resource !== undefined && audience !== resource) {
    throw new PosternError("invalid_target", "'audience' and 'resource' name different APIs");
  }
  return audience ?? resource;
}
