import { PosternError } from "../../errors.ts";
import type { Ids } from "../../adapters/random.ts";

/**
 * The id of a new user (spec section 2.1): `<connection>|<id>`. One that a caller gives with a pipe is kept byte for byte, so that imported users
 * keep theirs; one without gets the connection before it.
 * @throws {PosternError} `invalid_request` where the result is longer than 255 characters.
 */
export function newUserId(connection: string, given: string | undefined, ids: Ids): string {
  const userId = given?.includes("|") === true ? given : `${connection}|${given ?? ids.record()}`;
  if (userId.length <= 255) return userId;
  throw new PosternError("invalid_request", "body: 'user_id' is longer than 255 characters with its connection", {
    errorCode: "invalid_body",
  });
}
