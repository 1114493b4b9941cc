import * as z from "zod";
import { PosternError } from "../errors.ts";
import { publicClientId } from "../model/clients/client-id.ts";
import { claimsAbout } from "../tokens/id-token.ts";
import { signJwt } from "../tokens/sign.ts";
import { route, type UserContext } from "../tenants/callers/route-context.ts";

/** Claims about a user (OpenID Connect Core section 5.3.2). */
const userinfoSchema = z.looseObject({ sub: z.string() }).meta({ id: "Userinfo" });

const definition = {
  path: "/userinfo",
  summary: "Claims about the user of the access token",
  description: "The response to a client with `userinfo_signed_response_alg` is a signed JWT, with the content type `application/jwt`.",
  scopes: "bearer",
  responses: { 200: userinfoSchema, 401: { error: "invalid_token" }, 403: { error: "insufficient_scope" } },
} as const;

/**
 * The UserInfo endpoint (OpenID Connect Core section 5.3). A token in the body must be form-encoded (RFC 6750 section
 * 2.2).
 */
export const userinfo = [
  route({ ...definition, method: "GET" })(async (_, context) => userinfoOf(context)),
  route({ ...definition, method: "POST", body: z.looseObject({}).optional(), bodyKind: "form" })(async (_, context) => userinfoOf(context)),
];

async function userinfoOf({ tenant, bearer }: UserContext): Promise<z.infer<typeof userinfoSchema> | Response> {
  if (!bearer.scope.includes("openid")) {
    throw new PosternError("insufficient_scope", "the token requires the scope openid", {
      headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="openid"' },
    });
  }
  const claims = claimsAbout(bearer.user, bearer.scope, bearer.userinfoClaims);
  const client = await tenant.client(bearer.clientId);
  const alg = client?.settings.userinfo_signed_response_alg;
  if (client === undefined || alg === undefined) return claims;
  const payload = { ...claims, iss: tenant.urls.issuer, aud: publicClientId(client.record), iat: Math.floor(tenant.now() / 1000) };
  const jwt = await signJwt(await tenant.signing.signer(alg), tenant.keys, payload);
  return new Response(jwt, { headers: { "content-type": "application/jwt", "cache-control": "no-store" } });
}
