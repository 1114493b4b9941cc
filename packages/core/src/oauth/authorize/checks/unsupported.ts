import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Rejects request objects, because ignoring a request object would drop parameters that the client signed (OpenID
 * Connect Core section 6).
 */
export const checkUnsupported: AuthorizationCheck = ({ sent }) => {
  if (sent["request"] !== undefined) throw new PosternError("request_not_supported", "request objects are not supported");
  if (sent["request_uri"] !== undefined) throw new PosternError("request_uri_not_supported", "request objects are not supported");
};
