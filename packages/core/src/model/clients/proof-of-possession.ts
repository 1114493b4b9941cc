import type { RegisteredClient } from "./client.ts";
import { isPublic } from "./refresh-token-settings.ts";

/** Whether every access token of a client must be bound to a key (RFC 9449). */
export function requiresBinding({ settings }: RegisteredClient): boolean {
  return settings.require_proof_of_possession === true;
}

/** Whether the proofs of a client must have a nonce: a public client does not authenticate, so others could prepare its proofs. */
export function requiresNonce({ record }: RegisteredClient): boolean {
  return isPublic(record.token_endpoint_auth_method);
}
