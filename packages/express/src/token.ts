import type { AccessTokenClaims, TokenCheck } from "@postern/app";
import type { ExpressHandler, ExpressRequest } from "./express.ts";
import { headersOf, writeResponse } from "./to-web.ts";

/** A handler that requires a valid access token, and provides its claims. */
export interface RequireToken extends ExpressHandler {
  /**
   * Returns the claims of the access token in a request that passed this handler. @throws {TypeError} for any other
   * request.
   */
  claims(request: ExpressRequest): AccessTokenClaims;
}

/**
 * Creates a handler for Express 4 and 5 that requires an access token for the API (RFC 6750). It responds with 401 to a
 * request without a valid token, and with 403 if a scope is missing. The `WWW-Authenticate` header of the response
 * contains the reason.
 * @param scopes the token must have all of them.
 *
 * @example
 * const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
 * const readInvoices = requireToken(check, ["read:invoices"]);
 * app.get("/invoices", readInvoices, (request, response) => response.json({ of: readInvoices.claims(request).sub }));
 */
export function requireToken(check: TokenCheck, scopes: readonly string[] = []): RequireToken {
  const claimsByRequest = new WeakMap<ExpressRequest, AccessTokenClaims>();
  const handler: ExpressHandler = (request, response, next) => {
    check
      .requireToken({ headers: headersOf(request) }, scopes)
      .then((claims) => {
        if (claims instanceof Response) return writeResponse(claims, response);
        claimsByRequest.set(request, claims);
        return next();
      })
      .catch(next);
  };
  return Object.assign(handler, {
    claims(request: ExpressRequest): AccessTokenClaims {
      const claims = claimsByRequest.get(request);
      if (claims === undefined) throw new TypeError("requireToken has not accepted this request: call 'claims' only in later handlers");
      return claims;
    },
  });
}
