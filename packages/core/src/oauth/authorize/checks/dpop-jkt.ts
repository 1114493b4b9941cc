import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Reads the thumbprint of the key that the exchange of the code must prove (RFC 9449 section 10). */
export const checkDpopJkt: AuthorizationCheck = ({ sent, request }) => {
  const { dpop_jkt: jkt } = sent;
  if (jkt === undefined) return;
  if (!/^[A-Za-z0-9_-]{43}$/.test(jkt))
    throw new PosternError("invalid_request", "'dpop_jkt' must be a JWK thumbprint (RFC 7638) with SHA-256");
  request.dpop_jkt = jkt;
};
