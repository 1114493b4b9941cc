import { auditClient } from "../../logs/audit.ts";
import { toPosternError } from "../../http/response.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Checked } from "./checks/check.ts";
import { defaultResponseMode } from "./checks/response-mode.ts";
import { isForUser, respondError } from "./respond.ts";

/**
 * Sends the error to the client in the requested response mode. If the response mode is not checked yet, uses the
 * default mode for the response type.
 * @throws the error itself if the redirect URI is not checked yet, if a redirect would make the client repeat the
 * request, if the pushed request was used, or if only the user can do something about it. The error is then displayed on
 * a page.
 */
export async function refuseAuthorization(tenant: RequestTenant, { request, client, sent }: Checked, thrown: unknown): Promise<Response> {
  const error = toPosternError(thrown);
  // Throws instead of redirecting: after a redirect, the client would retry at once and fail again.
  const silent = sent["prompt"] === "none";
  const isForPage = error.code === "TOO_MANY_REQUESTS" || error.code === "invalid_request_uri";
  if (request.redirect_uri === undefined || isForPage || (isForUser(error) && !silent)) throw thrown;
  // A redirect cannot have status 500, so the client receives an error code (RFC 6749 section 4.1.2.1). Without a
  // redirect, a client with a hidden frame would wait for its timeout. The error is logged for the operator.
  const { requestInfo } = tenant;
  if (error.status >= 500) tenant.host.logger.log({ level: "error", event: "fault", request_id: requestInfo.requestId, error: thrown });
  const { redirect_uri, response_mode = defaultResponseMode(sent) } = request;
  await tenant.audit({
    type: silent ? "fsa" : "f",
    description: error.message,
    ...auditClient(client),
  });
  const { state, ui_locales } = sent;
  const destination = {
    redirect_uri,
    response_mode,
    ...(state !== undefined && { state }),
    ...(ui_locales !== undefined && { ui_locales }),
  };
  return respondError(tenant, destination, error);
}
