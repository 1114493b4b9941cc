import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Requires a nonce if the authorization endpoint returns an ID token (OpenID Connect Core section 3.2.2.1). */
export const checkNonce: AuthorizationCheck = (checked) => {
  const { nonce } = checked.sent;
  if (nonce !== undefined && nonce !== "") {
    if (nonce.length > 1024) throw new PosternError("invalid_request", "'nonce' is longer than 1024 characters");
    checked.request.nonce = nonce;
  } else if (checked.request.response_type?.includes("id_token") === true) {
    throw new PosternError("invalid_request", "'nonce' is missing");
  }
};
