import { requestedAudience } from "../../../authorization/requested-audience.ts";
import { apiOfRequest } from "../../../authorization/resolve-api.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Resolves the API that the access token is for: `audience`, or `resource` (RFC 8707). The tenant's default API is not
 * checked here.
 */
export const checkAudience: AuthorizationCheck = async (checked) => {
  const { tenant, sent } = checked;
  const audience = requestedAudience(sent);
  if (audience === undefined || audience === "") {
    checked.api = apiOfRequest(tenant, undefined);
    return;
  }
  // An unknown `audience` fails with Auth0's code, an unknown `resource` with the code that RFC 8707 section 2 defines.
  checked.api = apiOfRequest(tenant, audience, sent.audience === undefined ? "invalid_target" : "access_denied");
  await checked.api();
  checked.request.audience = audience;
};
