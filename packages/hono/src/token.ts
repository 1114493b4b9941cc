import type { AccessTokenClaims, TokenCheck } from "@postern/app";
import type { MiddlewareHandler } from "hono";

/** What {@link requireToken} leaves for the handlers after it. */
export interface TokenVariables {
  Variables: { token: AccessTokenClaims };
}

/**
 * Lets on requests with an access token for the API (RFC 6750), whose claims are `c.get("token")`. Others are answered 401, or 403 where a scope is missing, with the challenge that says why.
 * @param scopes all of which the token must have.
 *
 * @example
 * const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
 * app.get("/invoices", requireToken(check, ["read:invoices"]), (c) => c.json({ of: c.get("token").sub }));
 */
export function requireToken(check: TokenCheck, scopes: readonly string[] = []): MiddlewareHandler<TokenVariables> {
  return async (context, next) => {
    const claims = await check.requireToken(context.req.raw, scopes);
    if (claims instanceof Response) return claims;
    context.set("token", claims);
    return next();
  };
}
