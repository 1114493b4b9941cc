import { apiProofAlgorithms } from "./dpop-check.ts";
import { quoted } from "./quoted.ts";

/** The description of an API for clients that have no token for it yet (RFC 9728). */
export interface ProtectedResource {
  /**
   * The scopes that clients may request, such as the scopes of the API. With `offline_access`, the challenge for a
   * missing token asks clients to request a refresh token as well.
   */
  readonly scopes: readonly string[];
  /** The name of the API that clients show to users. Default: none. */
  readonly name?: string;
  /** The URL of a page for developers who use the API. Default: none. */
  readonly documentation?: string;
}

/** The metadata document of an API, and the parameter of challenges that names it. */
export interface ResourceMetadata {
  /** Adds the URL of the document to a challenge, and the scopes to request if the token is missing (RFC 9728 section 5.1). */
  addTo(challenge: string, requiredScopes: readonly string[]): string;
  /** Responds to a request for the document. Undefined for any other request. */
  respond(request: Request, issuer: () => Promise<string>): Promise<Response | undefined>;
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** Any client may read the document. The Model Context Protocol sends a header with the request, which needs a preflight. */
const cors = { "access-control-allow-origin": "*" };
const preflight = { ...cors, "access-control-allow-methods": "GET", "access-control-allow-headers": "MCP-Protocol-Version" };

/**
 * Creates the metadata of an API.
 * @param identifier the identifier of the API, which is its URL.
 * @throws {TypeError} if the identifier is not an http or https URL without a fragment (RFC 9728 section 1.2).
 */
export function createResourceMetadata(identifier: string, { scopes, name, documentation }: ProtectedResource): ResourceMetadata {
  const location = URL.canParse(identifier) ? new URL(identifier) : undefined;
  if (location === undefined || !/^https?:$/.test(location.protocol) || identifier.includes("#"))
    throw new TypeError("createTokenCheck: with 'resource', 'audience' must be an http or https URL without a fragment");
  // The final slash of an origin is not part of the path (RFC 9728 section 3.1).
  const path = wellKnown + (location.pathname === "/" ? "" : location.pathname);
  const url = location.origin + path + location.search;
  return {
    addTo(challenge, requiredScopes) {
      const isTokenMissing = challenge === "Bearer";
      const requested = [...new Set([...requiredScopes, ...scopes.filter((scope) => scope === "offline_access")])];
      const parameters = [
        `resource_metadata="${quoted(url)}"`,
        ...(isTokenMissing && requested.length > 0 ? [`scope="${quoted(requested.join(" "))}"`] : []),
      ];
      return `${challenge}${isTokenMissing ? " " : ", "}${parameters.join(", ")}`;
    },
    async respond({ url: requested, method }, issuer) {
      if (new URL(requested).pathname !== path) return undefined;
      if (method === "OPTIONS") return new Response(null, { status: 204, headers: preflight });
      if (method !== "GET" && method !== "HEAD") return undefined;
      const document = {
        resource: identifier,
        authorization_servers: [await issuer()],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
        dpop_signing_alg_values_supported: apiProofAlgorithms,
        ...(name !== undefined && { resource_name: name }),
        ...(documentation !== undefined && { resource_documentation: documentation }),
      };
      return Response.json(document, { headers: { ...cors, "cache-control": "public, max-age=60" } });
    },
  };
}
