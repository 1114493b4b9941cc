import type { AccessTokenClaims, TokenCheck, TokenRequirements } from "@postern/app";
import type { MiddlewareHandler } from "hono";

/** The variables that {@link requireToken} sets for later handlers. */
export interface TokenVariables {
  Variables: { token: AccessTokenClaims };
}

/**
 * Creates a handler that requires an access token for the API (RFC 6750), and sets its claims as `c.get("token")`. It
 * responds with 401 to a request without a valid token, and with 403 if a scope is missing. The `WWW-Authenticate`
 * header of the response contains the reason.
 * @param required the scopes that the token must have, or all requirements. If the user must authenticate again or with
 * another factor, the response is 401 with `error="insufficient_user_authentication"` (RFC 9470).
 * @throws {TypeError} if a requirement is invalid.
 *
 * @example
 * const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
 * app.get("/invoices", requireToken(check, ["read:invoices"]), (c) => c.json({ of: c.get("token").sub }));
 *
 * @example
 * app.post("/payments", requireToken(check, { scopes: ["pay"], acr: acrValues.multifactor, maxAge: 300 }), pay);
 */
export function requireToken(check: TokenCheck, required: readonly string[] | TokenRequirements = []): MiddlewareHandler<TokenVariables> {
  check.checkRequirements(required);
  return async (context, next) => {
    const claims = await check.requireToken(context.req.raw, required);
    if (claims instanceof Response) return claims;
    context.set("token", claims);
    return next();
  };
}

/**
 * Creates a handler that serves the metadata document of an API (RFC 9728), if the option `resource` of the check
 * describes the API. Other requests go to the next handler. Mount it at the root of the app.
 *
 * @example
 * app.use(resourceMetadata(check));
 */
export function resourceMetadata(check: TokenCheck): MiddlewareHandler {
  return async ({ req }, next) => (await check.metadata(req.raw)) ?? next();
}
