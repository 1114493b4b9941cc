import type { RegisteredClient } from "../model/clients/client.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { isRegisteredUrl } from "./registered-url.ts";

/** Whether a URL is one of the client's callbacks, so that responses may be sent to it. */
export function isCallback({ record }: RegisteredClient, address: string): boolean {
  return isRegisteredUrl(address, record.callbacks, { anyLoopbackPort: record.app_type === "native" });
}

/**
 * Whether a response to a stored request may still be sent: the redirect URI must still be one of the client's
 * callbacks. An invitation without an authorization request has no `response_type`. It leads to the front page of the
 * client without any parameters, and is always allowed.
 */
export function isCallbackStillAllowed(
  client: RegisteredClient,
  { response_type: types, redirect_uri: address }: AuthorizationRequest,
): boolean {
  return types.length === 0 || isCallback(client, address);
}
