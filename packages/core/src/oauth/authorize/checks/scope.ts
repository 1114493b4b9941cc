import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Requires that scopes contain only the characters that RFC 6749 section 3.3 allows, and that a request for an ID token
 * contains `openid`. Unknown scopes are dropped later, as in Auth0.
 */
export const checkScope: AuthorizationCheck = (checked) => {
  const words = (checked.sent["scope"] ?? "").split(" ").filter((word) => word !== "");
  if (words.some((word) => !/^[\x21\x23-\x5b\x5d-\x7e]{1,280}$/.test(word)))
    throw new PosternError("invalid_scope", "'scope' contains characters that are not allowed");
  if (words.length > 500) throw new PosternError("invalid_scope", "'scope' contains more than 500 scopes");
  if (checked.request.response_type?.includes("id_token") === true && !words.includes("openid")) {
    throw new PosternError("invalid_scope", "an ID token requires the scope openid");
  }
  checked.request.scope = [...new Set(words)];
};
