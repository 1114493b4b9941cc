import * as z from "zod";
import {
  deviceCodeLifetime,
  pollingInterval,
  requireDeviceGrant,
  storeDeviceCode,
  type DeviceRequest,
} from "../authorization/device-codes/device-code.ts";
import { networkOf } from "../adapters/addresses.ts";
import { activationUrl } from "../authorization/device-codes/activation-url.ts";
import { PosternError } from "../errors.ts";
import { forwardedTenant } from "../tenants/callers/forwarded-for.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { Checked } from "./authorize/checks/check.ts";
import { runAuthorizationChecks } from "./authorize/checks/table.ts";
import { readClientCredentials } from "./client-authentication.ts";
import { audienceParameter, organizationParameter, resourceParameter, scopeParameter } from "./token/target-parameters.ts";

const bodySchema = z
  .object({
    client_id: z.string().exactOptional(),
    client_secret: z.string().exactOptional(),
    client_assertion: z.string().exactOptional(),
    client_assertion_type: z.string().exactOptional(),
    scope: scopeParameter.meta({ description: "Separated by spaces. `offline_access` requests a refresh token" }),
    audience: audienceParameter.meta({ description: "The identifier of the API. Default: the tenant's `default_audience`" }),
    resource: resourceParameter,
    organization: organizationParameter.meta({ description: "The organization that the user must be a member of: its id or its name" }),
  })
  .meta({ id: "DeviceAuthorizationRequest" });

const replySchema = z
  .strictObject({
    device_code: z.string().meta({ description: "Identifies the request at `/oauth/token`. The device must not display it" }),
    user_code: z.string().meta({ description: "The code that the device displays, and that the user enters in their browser" }),
    verification_uri: z.string().meta({ description: "The page on which the user enters the code" }),
    verification_uri_complete: z.string().meta({ description: "The page with the code filled in, for a QR code" }),
    expires_in: z.int().meta({ description: "Seconds until both codes expire" }),
    interval: z.int().meta({ description: "Seconds between two polls" }),
  })
  .meta({ id: "DeviceAuthorizationReply" });

/** The device authorization endpoint (RFC 8628 section 3.1). Changes nothing for a user until one approves the code. */
export const deviceAuthorization = route({
  method: "POST",
  path: "/oauth/device/code",
  summary: "Start a sign-in on a device without a keyboard",
  scopes: "client",
  bodyKind: "json-or-form",
  body: bodySchema,
  failureEvent: () => "fdeaz",
  responses: {
    200: replySchema,
    400: { error: "invalid_request, invalid_scope, invalid_target, access_denied, unauthorized_client" },
    401: { error: "invalid_client" },
    429: { error: "TOO_MANY_REQUESTS: too many codes were requested from this IP address" },
  },
})(async ({ body, request }, { tenant: own, client }) => {
  requireDeviceGrant(client);
  const tenant = forwardedTenant(own, request, client, readClientCredentials(request, body));
  const { scope, audience, resource, organization } = body;
  const requested: DeviceRequest = {
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
    ...(organization !== undefined && { organization }),
  };
  const checked: Checked = { tenant, client, sent: requested, malformed: new Map(), request: {} };
  await runAuthorizationChecks("/oauth/device/code", checked);
  limitRequests(tenant);
  const { deviceCode, userCode } = await storeDeviceCode(tenant, client, requested);
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: activationUrl(tenant),
    verification_uri_complete: activationUrl(tenant, { user_code: userCode }),
    expires_in: deviceCodeLifetime / 1000,
    interval: pollingInterval,
  };
});

/**
 * Limits the rows that one IP address can store, in this process: as many as messages that it can request.
 * @throws {PosternError} `TOO_MANY_REQUESTS`.
 */
function limitRequests(tenant: RequestTenant): void {
  const { ip, sharedIp } = tenant.requestInfo;
  if (ip === undefined || sharedIp) return;
  const wait = tenant.processState.messageLimits.takeAddress(`device codes:${tenant.id}:${networkOf(ip)}`, tenant.now());
  if (wait === 0) return;
  throw new PosternError("TOO_MANY_REQUESTS", "Too many device codes were requested. Try again later.", {
    headers: { "retry-after": String(wait) },
  });
}
