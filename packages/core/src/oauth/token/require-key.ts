import { PosternError } from "../../errors.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";

/**
 * Requires a proof of the key that a token in the body is bound to (RFC 9449 section 5).
 * @param jkt the thumbprint of the key; null for a token that is not bound.
 * @throws {PosternError} `invalid_grant`.
 */
export function requireKey({ provenKey }: ClientContext, jkt: string | null): void {
  if (jkt === null || jkt === provenKey?.jkt) return;
  throw new PosternError("invalid_grant", "the token is bound to a key: a DPoP proof of this key is required");
}
