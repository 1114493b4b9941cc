import * as z from "zod";
import type { IssuedWithAccess } from "../../authorization/issue-tokens/issue-tokens.ts";
import { bearerType, dpopType } from "../../tokens/access-token.ts";

/** A successful response of the token endpoint (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3). */
export const tokenResponseSchema = z
  .strictObject({
    access_token: z.string(),
    id_token: z.string().exactOptional(),
    refresh_token: z.string().exactOptional(),
    issued_token_type: z.string().exactOptional(),
    token_type: z.enum([bearerType, dpopType]),
    expires_in: z.int().meta({ description: "Seconds" }),
    scope: z.string().exactOptional(),
    recovery_code: z
      .string()
      .exactOptional()
      .meta({ description: "The recovery code that replaces the one in the request. Show it to the user: it is not returned again" }),
  })
  .meta({ id: "TokenResponse" });

export type TokenResponse = z.infer<typeof tokenResponseSchema>;

/**
 * Returns the response with issued tokens. An empty scope is omitted.
 * @param issuedTokenType the type of the access token, for token exchange (RFC 8693 section 2.2.1).
 */
export function tokenResponse({ access, idToken, refreshToken, scope }: IssuedWithAccess, issuedTokenType?: string): TokenResponse {
  return {
    access_token: access.token,
    ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
    token_type: access.type,
    expires_in: access.expiresIn,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope.length > 0 && { scope: scope.join(" ") }),
  };
}
