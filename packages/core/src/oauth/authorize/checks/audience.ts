import { requestedAudience } from "../../../authorization/requested-audience.ts";
import { apiOfRequest } from "../../../authorization/resolve-api.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Resolves the API that the access token is for: `audience`, or `resource` (RFC 8707). The tenant's default API is not
 * checked here.
 */
export const checkAudience: AuthorizationCheck = async (checked) => {
  const { tenant, sent } = checked;
  const audience = await requestedAudience(tenant, sent);
  checked.api = apiOfRequest(tenant, audience);
  if (audience === undefined) return;
  await checked.api();
  checked.request.audience = audience;
};
