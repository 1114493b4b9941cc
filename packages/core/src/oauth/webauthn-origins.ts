import * as z from "zod";
import { PosternError } from "../errors.ts";
import { route } from "../tenants/callers/route-context.ts";

/**
 * Returns the origins that may use the passkeys of this host (WebAuthn section 5.11): the tenant's other custom domains
 * whose RP ID is the host. Browsers request the document when a page of another domain uses the RP ID. The host comes from
 * the tenant's verified custom domains, so the document never contains origins of another tenant.
 */
export const webauthnOrigins = route({
  method: "GET",
  path: "/.well-known/webauthn",
  summary: "Get the domains that may use the passkeys of this host",
  scopes: "public",
  cors: "any",
  cache: "public, max-age=60",
  responses: {
    200: z.strictObject({ origins: z.array(z.string()).readonly() }).meta({ id: "WebauthnOrigins" }),
    404: { error: "not_found: no other domain uses the passkeys of this host" },
  },
})(async (_, { tenant }) => {
  const origins = await tenant.relatedOrigins();
  if (origins.length === 0) throw new PosternError("not_found", "no other domain uses the passkeys of this host");
  return { origins };
});
