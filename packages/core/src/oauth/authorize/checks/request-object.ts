import { demandsOn } from "../../../model/clients/client-demands.ts";
import { applyRequestObject, unsignedRequest } from "../request-object.ts";
import { clientOf, type AuthorizationCheck, type Checked } from "./check.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import { checkResponseMode } from "./response-mode.ts";

/**
 * Verifies the request object and replaces the parameters with those that count (RFC 9101). The object of a pushed request
 * was verified when the client pushed it.
 * @throws {PosternError} `invalid_request_object`. The redirect URI outside the object receives it, if it is registered.
 */
export const checkRequestObject: AuthorizationCheck = async (checked) => {
  // A request_uri that is not a pushed request is rejected later, and must not be combined with an object.
  if (checked.request.pushed_request !== undefined || checked.sent["request_uri"] !== undefined) return;
  try {
    Object.assign(checked, await applyRequestObject(checked.tenant, clientOf(checked), checked, { isPushed: false }));
  } catch (error) {
    await chooseDestination(checked);
    throw error;
  }
};

/** Requires that the link of a passwordless login is not for a client that must sign its requests. */
export const checkSignedLink: AuthorizationCheck = (checked) => {
  if (demandsOn(clientOf(checked)).signedRequest) throw unsignedRequest();
};

/** Chooses the destination of an error without the object, because its content is not verified. */
async function chooseDestination(checked: Checked): Promise<void> {
  if (checked.sent["redirect_uri"] === undefined) return;
  try {
    await checkRedirectUri(checked);
    await checkResponseMode(checked);
  } catch {
    // The error of the request object is shown on a page, or sent in the default response mode.
  }
}
