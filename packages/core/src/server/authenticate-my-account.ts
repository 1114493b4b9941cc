import { PosternError } from "../errors.ts";
import { authenticateFactorOwner } from "../tenants/callers/factor-owner.ts";
import { readPresentedToken } from "../tenants/callers/presented-token.ts";
import { myAccountSystemApi } from "../tenants/system-apis.ts";
import type { AuthenticateCaller } from "./api.ts";
import { presentedAt } from "./presented-at.ts";

/**
 * Authenticates the user of a My Account API token. The token must have one of the route's scopes.
 * @throws {PosternError} `invalid_token` or `insufficient_scope`.
 */
export const authenticateMyAccount: AuthenticateCaller = async (installation, address, progress, definition) => {
  const { request, requestInfo } = progress;
  const token = readPresentedToken(request, presentedAt(installation, progress));
  const found = await authenticateFactorOwner(installation, token, address, requestInfo, myAccountSystemApi);
  // Scripts of the client must be able to read every later error.
  Object.assign(progress, { tenant: found.tenant, client: found.client, presentedId: found.mfaToken.clientId });
  const { scopes: required = [] } = definition ?? {};
  const { scope = [], mfaToken } = found;
  if (typeof required !== "string" && required.length > 0 && !required.some((value) => scope.includes(value)))
    throw new PosternError("insufficient_scope", `the token requires the scope ${required.join(" or ")}`, {
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${required.join(" ")}"` },
    });
  const sessionId = mfaToken.request.access_token?.session_id ?? "";
  return { ...found, scope, request, sessionId };
};
