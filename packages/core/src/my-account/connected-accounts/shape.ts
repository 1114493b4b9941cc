import * as z from "zod";
import type { UpstreamTokens } from "../../identity/providers/upstream-tokens.ts";
import { timestampSchema, toTimestamp } from "../../model/fields.ts";
import type { Row } from "../../store/schema.ts";

/** The schema of an account at an identity provider that is linked to the account of a user. Has no token of the provider. */
export const connectedAccountSchema = z
  .strictObject({
    id: z.string(),
    connection: z.string(),
    access_type: z.enum(["offline", "online"]).meta({ description: "`offline` if a refresh token of the provider is stored" }),
    scopes: z.array(z.string()).meta({ description: "The scopes that the provider returned at the latest sign-in there" }),
    created_at: timestampSchema,
    expires_at: timestampSchema.exactOptional().meta({ description: "When the access without a refresh token ends" }),
  })
  .meta({ id: "ConnectedAccount" });

/** Returns a linked account in the shape of the API. */
export function toConnectedAccount(account: Row<"users">, tokens: UpstreamTokens | undefined): z.infer<typeof connectedAccountSchema> {
  const { refresh, scope = "", expires_at: expiry } = tokens ?? {};
  return {
    id: account.user_id,
    connection: account.connection,
    access_type: refresh === undefined ? "online" : "offline",
    scopes: scope.split(" ").filter((value) => value !== ""),
    created_at: toTimestamp(account.created_at),
    ...(refresh === undefined && expiry !== undefined && { expires_at: toTimestamp(expiry) }),
  };
}
