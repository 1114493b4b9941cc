import type { AccessTokenClaims, TokenCheck } from "@postern/app";
import type { MiddlewareHandler } from "hono";

/** The variables that {@link requireToken} sets for later handlers. */
export interface TokenVariables {
  Variables: { token: AccessTokenClaims };
}

/**
 * Creates a handler that requires an access token for the API (RFC 6750), and sets its claims as `c.get("token")`. It
 * responds with 401 to a request without a valid token, and with 403 if a scope is missing. The `WWW-Authenticate`
 * header of the response contains the reason.
 * @param scopes the token must have all of them.
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
