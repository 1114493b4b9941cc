import type { RegisteredClient } from "../model/clients/client.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { isRegisteredUrl } from "./registered-url.ts";

/** Whether a URL is one of the client's callbacks, so that responses may be sent to it. */
export function isCallback({ record }: RegisteredClient, address: string): boolean {
  return isRegisteredUrl(address, record.callbacks, { anyLoopbackPort: record.app_type === "native" });
}

/**
 * Whether an interaction may still end at the redirect URI of its stored request. A response or the code for a connected
 * account is only sent to one of the client's current callbacks. Any other ending sends no parameters, and is always allowed.
 */
export function isCallbackStillAllowed(client: RegisteredClient, { ending, redirect_uri: address }: AuthorizationRequest): boolean {
  return (ending !== "response" && ending !== "connected-account") || isCallback(client, address);
}
