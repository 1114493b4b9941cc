import { PosternError } from "../../../errors.ts";
import { requestedApi } from "../../grants/person-scopes.ts";
import type { Check } from "./check.ts";

/** The API that the access token is for: `audience`, or `resource` (RFC 8707). */
export const checkAudience: Check = async (checked) => {
  const { audience, resource } = checked.sent;
  if (audience !== undefined && resource !== undefined && audience !== resource) {
    throw new PosternError("invalid_target", "'audience' and 'resource' name different APIs");
  }
  const identifier = audience ?? resource;
  if (identifier === undefined || identifier === "") return;
  await requestedApi(checked.tenant, identifier);
  checked.request.audience = identifier;
};
