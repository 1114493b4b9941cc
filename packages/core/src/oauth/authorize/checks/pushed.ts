import { PosternError } from "../../../errors.ts";
import { demandsOn } from "../../../model/clients/client-demands.ts";
import { internalClientId } from "../../../model/clients/client-id.ts";
import { tenantFlags } from "../../../model/tenant/flags.ts";
import { findPushedRequest, invalidRequestUri, isPushedRequestUri } from "../pushed-requests.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/**
 * Replaces the parameters with those that the client pushed (RFC 9126 section 4). Of the browser's parameters, only
 * `client_id` and `request_uri` count.
 * @throws {PosternError} `invalid_request_uri` if the request is unknown, has expired, was used or belongs to another
 * client.
 */
export const checkPushed: AuthorizationCheck = async (checked) => {
  const { request_uri: uri, client_id: clientId } = checked.sent;
  if (uri === undefined || !isPushedRequestUri(uri)) return;
  if (clientId === undefined) throw new PosternError("invalid_request", "'client_id' is missing");
  const pushed = await findPushedRequest(checked.tenant, uri);
  if (pushed === undefined || pushed.clientId !== (await internalClientId(clientId))) throw invalidRequestUri();
  checked.sent = { ...pushed.parameters, client_id: clientId };
  checked.malformed = new Map();
  checked.request.pushed_request = pushed.id;
};

/** Requires a pushed request, if the client or the tenant does. */
export const checkPushRequired: AuthorizationCheck = (checked) => {
  if (checked.request.pushed_request !== undefined) return;
  const flags = tenantFlags(checked.tenant.record);
  if (demandsOn(clientOf(checked)).pushedRequest || flags.require_pushed_authorization_requests === true)
    throw new PosternError("invalid_request", "the client must push its authorization requests to /oauth/par");
};
