import { resolveApi } from "../../../authorization/resolve-api.ts";
import { requestedAudience } from "../../../authorization/requested-audience.ts";
import type { Check } from "./check.ts";

/** The API that the access token is for: `audience`, or `resource` (RFC 8707). */
export const checkAudience: Check = async (checked) => {
  const identifier = requestedAudience(checked.sent);
  if (identifier === undefined || identifier === "") return;
  // By the vendor's name the vendor's code, by the standard's name the standard's (RFC 8707 section 2).
  await resolveApi(checked.tenant, identifier, checked.sent.audience === undefined ? "invalid_target" : "access_denied");
  checked.request.audience = identifier;
};
