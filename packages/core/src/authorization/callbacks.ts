import type { Client } from "../model/clients/client.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { isRegisteredUrl } from "./registered-url.ts";

/** Whether answers may go to an address: it is one of the client's callbacks. */
export function isCallback({ record }: Client, address: string): boolean {
  return isRegisteredUrl(address, record.callbacks, { anyLoopbackPort: record.app_type === "native" });
}

/**
 * Whether a request that is kept may still be answered: a callback that was taken from the client meanwhile gets nothing. An invitation without a client's request
 * leads to its front page, with nothing to tell.
 */
export function isCallbackStillAllowed(client: Client, { response_type: types, redirect_uri: address }: AuthorizationRequest): boolean {
  return types.length === 0 || isCallback(client, address);
}
