import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Rejects request objects by reference, which would have to be fetched. Ignoring them would drop parameters that the client
 * signed (OpenID Connect Core section 6).
 */
export const checkUnsupported: AuthorizationCheck = ({ sent }) => {
  if (sent["request_uri"] !== undefined)
    throw new PosternError("request_uri_not_supported", "request objects by reference are not supported");
};
