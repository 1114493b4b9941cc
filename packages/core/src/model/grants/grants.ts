import * as z from "zod";
import type { Row } from "../../store/schema.ts";

/**
 * A consent as the Management API returns it: the scopes of one API that a user granted to a client, and whether the
 * client may act for the user there. Auth0 calls a
 * consent a grant, and uses the spelling `clientID`.
 */
export const grantSchema = z
  .strictObject({
    id: z.string(),
    clientID: z.string(),
    user_id: z.string(),
    audience: z
      .string()
      .meta({ description: "The identifier of the API, or the URL of `/userinfo` if the consent is for claims about the user only" }),
    scope: z.array(z.string()),
    may_act: z
      .literal(true)
      .exactOptional()
      .meta({ description: "Present if the client may act for the user at the API. Postern defines this member; Auth0 has none like it" }),
  })
  .meta({ id: "Grant" });

/**
 * Converts a row to the Management API format.
 * @param audience the public identifier of the API.
 */
export function toGrant(row: Row<"consents">, audience: string): z.infer<typeof grantSchema> {
  return {
    id: row.id,
    clientID: row.client_id,
    user_id: row.user_id,
    audience,
    scope: [...row.scope],
    ...(row.may_act && { may_act: true as const }),
  };
}
