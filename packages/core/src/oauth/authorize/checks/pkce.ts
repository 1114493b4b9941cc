import { PosternError } from "../../../errors.ts";
import { isPublic } from "../../../model/clients/refresh-token-settings.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/** Checks PKCE with S256 (RFC 7636). Public clients must use it; other clients may. `plain` is rejected. */
export const checkPkce: AuthorizationCheck = (checked) => {
  const { code_challenge: challenge, code_challenge_method: method } = checked.sent;
  const usesCode = checked.request.response_type?.includes("code") ?? false;
  if (challenge === undefined || challenge === "") {
    if (method !== undefined) throw new PosternError("invalid_request", "'code_challenge' is missing");
    if (usesCode && isPublic(clientOf(checked).record.token_endpoint_auth_method))
      throw new PosternError("invalid_request", "'code_challenge' is missing: public clients must use PKCE");
    return;
  }
  if (method !== "S256") throw new PosternError("invalid_request", "'code_challenge_method' must be S256");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw new PosternError("invalid_request", "'code_challenge' must be a SHA-256 in base64url");
  checked.request.code_challenge = challenge;
};
