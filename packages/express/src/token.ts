import type { AccessTokenClaims, TokenCheck, TokenRequirements } from "@postern/app";
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
 * @param required the scopes that the token must have, or all requirements. If the user must authenticate again or with
 * another factor, the response is 401 with `error="insufficient_user_authentication"` (RFC 9470).
 * @throws {TypeError} if a requirement is invalid.
 *
 * @example
 * const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
 * const readInvoices = requireToken(check, ["read:invoices"]);
 * app.get("/invoices", readInvoices, (request, response) => response.json({ of: readInvoices.claims(request).sub }));
 *
 * @example
 * app.post("/payments", requireToken(check, { scopes: ["pay"], acr: acrValues.multifactor, maxAge: 300 }), pay);
 */
export function requireToken(check: TokenCheck, required: readonly string[] | TokenRequirements = []): RequireToken {
  check.checkRequirements(required);
  const claimsByRequest = new WeakMap<ExpressRequest, AccessTokenClaims>();
  const handler: ExpressHandler = (request, response, next) => {
    check
      .requireToken(
        { headers: headersOf(request), method: request.method ?? "GET", url: request.originalUrl ?? request.url ?? "/" },
        required,
      )
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

/**
 * Creates a handler for Express 4 and 5 that serves the metadata document of an API (RFC 9728), if the option `resource`
 * of the check describes the API. Other requests go to the next handler. Mount it at the root of the app.
 *
 * @example
 * app.use(resourceMetadata(check));
 */
export function resourceMetadata(check: TokenCheck): ExpressHandler {
  return (request, response, next) => {
    const { method = "GET" } = request;
    const url = request.originalUrl ?? request.url ?? "/";
    // Only the path matters, so the host can be any.
    if (!["GET", "HEAD", "OPTIONS"].includes(method) || !url.startsWith("/") || !URL.canParse(url, "http://localhost")) return next();
    check
      .metadata(new Request(new URL(url, "http://localhost"), { method }))
      .then((document) => (document === undefined ? next() : writeResponse(document, response)))
      .catch(next);
  };
}
