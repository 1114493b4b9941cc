import { requestedApi } from "../../../issuing/person-scopes.ts";
import { namedApi } from "../../../issuing/named-api.ts";
import type { Check } from "./check.ts";

/** The API that the access token is for: `audience`, or `resource` (RFC 8707). */
export const checkAudience: Check = async (checked) => {
  const identifier = namedApi(checked.sent);
  if (identifier === undefined || identifier === "") return;
  await requestedApi(checked.tenant, identifier);
  checked.request.audience = identifier;
};
