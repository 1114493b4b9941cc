import { PosternError } from "../errors.ts";

/**
 * The API that a request names: by `audience`, or by the name of RFC 8707, `resource`. What is named is never left out of account: a token would be for another API.
 * @throws {PosternError} `invalid_target` where both are sent and differ.
 */
export function namedApi({ audience, resource }: { readonly audience?: string; readonly resource?: string }): string | undefined {
  if (audience !== undefined && resource !== undefined && audience !== resource) {
    throw new PosternError("invalid_target", "'audience' and 'resource' name different APIs");
  }
  return audience ?? resource;
}
