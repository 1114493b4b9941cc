import * as z from "zod";
import { isPosternError, PosternError } from "../errors.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { publicClientId } from "../model/clients/client-id.ts";
import { isPublic } from "../model/clients/refresh-token-settings.ts";
import { Reply } from "../http/route.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { Checked } from "./authorize/checks/check.ts";
import { runAuthorizationChecks } from "./authorize/checks/table.ts";
import { authorizationParameters, pushedParametersSchema } from "./authorize/parameters.ts";
import { storePushedRequest } from "./authorize/pushed-requests.ts";
import { readAuthorizationParameters } from "./authorize/read-parameters.ts";
import { applyRequestObject } from "./authorize/request-object.ts";
import { acceptsPushedRequests } from "./pushed-requests-supported.ts";

/** The maximum size of a pushed request, in bytes of JSON. As in Auth0. */
const maximumBytes = 10 * 1024;
const encoder = new TextEncoder();

/**
 * The pushed authorization request endpoint (RFC 9126). It runs the checks of `/authorize` that need no user, and responds
 * to every error with JSON. A public client only sends its id, and must use PKCE.
 */
export const pushedAuthorizationRequest = route({
  method: "POST",
  path: "/oauth/par",
  summary: "Push an authorization request",
  description:
    "Send the browser to `/authorize` with `client_id` and the `request_uri` of the response. It can be opened within `expires_in` seconds, and leads to one response.",
  scopes: "client",
  bodyKind: "form",
  body: pushedParametersSchema,
  failureEvent: () => "fpar",
  acceptsProof: true,
  responses: {
    201: z.strictObject({ request_uri: z.string(), expires_in: z.int().meta({ description: "Seconds" }) }).meta({ id: "PushedRequest" }),
    400: { error: "invalid_request, or the error that `/authorize` would send to the client" },
    401: { error: "invalid_client" },
    404: { error: "not_found: the tenant does not accept pushed requests" },
    413: { error: "payload_too_large" },
    429: { error: "TOO_MANY_REQUESTS" },
  },
})(async ({ body }, { tenant, client, provenKey }) => {
  if (!acceptsPushedRequests(tenant, client)) {
    throw new PosternError("not_found", "the tenant does not accept pushed requests: set pushed_authorization_requests_supported");
  }
  if (body["request_uri"] !== undefined) throw new PosternError("invalid_request", "'request_uri' must not be pushed");
  const { sent, malformed } = await applyRequestObject(tenant, client, readAuthorizationParameters(body), { isPushed: true });
  const known = Object.entries(sent).filter(([name]) => authorizationParameters.has(name));
  const { dpop_jkt: jkt = provenKey?.jkt } = sent;
  if (provenKey !== undefined && provenKey.jkt !== jkt)
    throw new PosternError("invalid_dpop_proof", "'dpop_jkt' and the DPoP proof name different keys");
  const parameters = {
    ...Object.fromEntries(known),
    client_id: publicClientId(client.record),
    ...(jkt !== undefined && { dpop_jkt: jkt }),
  };
  const bytes = encoder.encode(JSON.stringify(parameters)).length;
  if (bytes > maximumBytes) throw new PosternError("payload_too_large", `a pushed request must have at most ${maximumBytes} bytes`);
  await check({ tenant, sent: parameters, malformed, request: {} });
  await limitPublicClient(tenant, client, bytes);
  const { uri, lifetime } = await storePushedRequest(tenant, client, parameters);
  return new Reply({ request_uri: uri, expires_in: lifetime });
});

/** Runs the checks. Every error of this endpoint has status 400 (RFC 9126 section 2.3). */
async function check(checked: Checked): Promise<void> {
  try {
    await runAuthorizationChecks("/oauth/par", checked);
  } catch (error) {
    if (!isPosternError(error) || error.status >= 500) throw error;
    const { code, message, hint } = error;
    throw new PosternError(code, message, { status: 400, ...(hint !== undefined && { hint }), cause: error });
  }
}

/** Anyone can send the id of a public client, so its requests count as logins of the IP address. */
async function limitPublicClient(tenant: RequestTenant, { record }: RegisteredClient, bytes: number): Promise<void> {
  if (isPublic(record.token_endpoint_auth_method)) await tenant.admitLoginSession(bytes);
}
