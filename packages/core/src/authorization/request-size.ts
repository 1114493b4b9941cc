import { PosternError } from "../errors.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** Maximum bytes of a validated request, as JSON. The request is stored with every login session. */
const maximumBytes = 16_384;
const encoder = new TextEncoder();

/**
 * Limits the size of a stored request.
 * @throws {PosternError} `invalid_request`
 */
export function requireRequestSize(request: Partial<AuthorizationRequest>): void {
  if (encoder.encode(JSON.stringify(request)).length > maximumBytes)
    throw new PosternError("invalid_request", `the parameters must have at most ${maximumBytes} bytes in total`);
}
