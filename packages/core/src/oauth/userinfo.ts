import * as z from "zod";
import { PosternError } from "../errors.ts";
import { claimsAbout } from "../tokens/id-token.ts";
import { route, type UserContext } from "../tenants/callers/route-context.ts";

/** Claims about a user (OpenID Connect Core section 5.3.2). */
const userinfoSchema = z.looseObject({ sub: z.string() }).meta({ id: "Userinfo" });

const definition = {
  path: "/userinfo",
  summary: "Claims about the user of the access token",
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

async function userinfoOf({ bearer }: UserContext): Promise<z.infer<typeof userinfoSchema>> {
  if (!bearer.scope.includes("openid")) {
    throw new PosternError("insufficient_scope", "the token requires the scope openid", {
      headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="openid"' },
    });
  }
  return claimsAbout(bearer.user, bearer.scope, bearer.userinfoClaims);
}
