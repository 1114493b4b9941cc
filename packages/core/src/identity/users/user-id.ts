import type { RandomValues } from "../../adapters/random.ts";
import { invalidBody } from "../../model/settings.ts";

/**
 * The id of a new user (spec section 2.1): `<connection>|<id>`. A given id with a pipe is used unchanged, so that
 * imported users keep their ids. A given id without a pipe gets the connection as a prefix.
 * @throws {PosternError} `invalid_request` if the result is longer than 255 characters, or ends like the subject of a
 * client's token (`<client_id>@clients`).
 */
export function newUserId(connection: string, given: string | undefined, random: RandomValues): string {
  const userId = given?.includes("|") === true ? given : `${connection}|${given ?? random.record()}`;
  if (userId.length > 255) throw invalidBody("'user_id' is longer than 255 characters with its connection");
  if (userId.endsWith("@clients")) throw invalidBody("'user_id' must not end in '@clients', which is reserved for clients");
  return userId;
}
