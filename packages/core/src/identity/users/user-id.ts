import type { RandomValues } from "../../adapters/random.ts";
import { invalidBody } from "../../model/settings.ts";

/**
 * Returns the id of a new user, as Auth0 writes it: `<connection>|<id>`. A given id that contains a pipe is used
 * unchanged, so that imported users keep their ids. A given id without a pipe is prefixed with the connection name.
 * Without a given id, a random id is generated.
 * @throws {PosternError} `invalid_request` if the result is longer than 255 characters, or ends like the subject of a
 * client's token (`<client_id>@clients`).
 */
export function newUserId(connection: string, given: string | undefined, random: RandomValues): string {
  const userId = given?.includes("|") === true ? given : `${connection}|${given ?? random.record()}`;
  if (userId.length > 255) throw invalidBody("'user_id' must have at most 255 characters, including the connection name");
  if (userId.endsWith("@clients")) throw invalidBody("'user_id' must not end in '@clients', which is reserved for clients");
  return userId;
}
