import type { RandomValues } from "../../adapters/random.ts";
import { invalidBody } from "../../model/settings.ts";

/**
 * The id of a new user (spec section 2.1): `<connection>|<id>`. One that a caller gives with a pipe is kept byte for byte, so that imported users
 * keep theirs; one without gets the connection before it.
 * @throws {PosternError} `invalid_request` where the result is longer than 255 characters, or ends as the subject of a machine's token does (`<client_id>@clients`).
 */
export function newUserId(connection: string, given: string | undefined, random: RandomValues): string {
  const userId = given?.includes("|") === true ? given : `${connection}|${given ?? random.record()}`;
  if (userId.length > 255) throw invalidBody("'user_id' is longer than 255 characters with its connection");
  if (userId.endsWith("@clients")) throw invalidBody("'user_id' must not end in '@clients', which is how the subjects of clients end");
  return userId;
}
