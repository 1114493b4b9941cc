import * as z from "zod";

/** A successful response of the token endpoint (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3). */
export const tokenResponseSchema = z
  .strictObject({
    access_token: z.string(),
    id_token: z.string().exactOptional(),
    refresh_token: z.string().exactOptional(),
    issued_token_type: z.string().exactOptional(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().meta({ description: "Seconds" }),
    scope: z.string().exactOptional(),
    recovery_code: z
      .string()
      .exactOptional()
      .meta({ description: "The recovery code that replaces the one in the request. Show it to the user: it is not returned again" }),
  })
  .meta({ id: "TokenResponse" });

export type TokenResponse = z.infer<typeof tokenResponseSchema>;

/** The tokens that a grant issues. */
interface IssuedTokens {
  readonly accessToken: string;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
  /** The type of the access token, for token exchange (RFC 8693 section 2.2.1). */
  readonly issuedTokenType?: string;
  readonly idToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope: readonly string[];
}

/** Returns the response with the issued tokens. An empty scope is omitted. */
export function tokenResponse({ accessToken, expiresIn, issuedTokenType, idToken, refreshToken, scope }: IssuedTokens): TokenResponse {
  return {
    access_token: accessToken,
    ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
    token_type: "Bearer",
    expires_in: expiresIn,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope.length > 0 && { scope: scope.join(" ") }),
  };
}
