import { checkAudience } from "./audience.ts";
import type { AuthorizationCheck, Checked } from "./check.ts";
import { checkClaims } from "./claims.ts";
import { checkClient, checkDocumentClient } from "./client.ts";
import { checkConnection } from "./connection.ts";
import { checkDeviceAudience } from "./device-audience.ts";
import { checkDpopJkt } from "./dpop-jkt.ts";
import { checkHints } from "./hints.ts";
import { checkInvitation } from "./invitation.ts";
import { checkMalformed, checkMalformedAddress } from "./malformed.ts";
import { checkMaxAge } from "./max-age.ts";
import { checkNonce } from "./nonce.ts";
import { checkOrganization } from "./organization.ts";
import { checkPkce } from "./pkce.ts";
import { checkPrompt } from "./prompt.ts";
import { checkPushed, checkPushRequired } from "./pushed.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import { checkRequestObject, checkSignedLink } from "./request-object.ts";
import { checkResponseMode } from "./response-mode.ts";
import { checkResponseType } from "./response-type.ts";
import { checkScope } from "./scope.ts";
import { checkSecureCode } from "./secure-code.ts";
import { checkRequestSize } from "./size.ts";
import { checkUnsupported } from "./unsupported.ts";

/** The endpoints that check the parameters of authorization requests. */
export type Endpoint = "/authorize" | "/oauth/par" | "/passwordless/start" | "/u/invitation" | "/oauth/device/code";

/** A check, and the endpoints that run it. */
interface CheckRow {
  readonly check: AuthorizationCheck;
  readonly endpoints: readonly Endpoint[];
}

/**
 * A pushed request and the sign-in link that `/passwordless/start` sends lead to `/authorize`, so the three endpoints run
 * the same checks.
 */
const requests: readonly Endpoint[] = ["/authorize", "/oauth/par", "/passwordless/start"];

/** The parameters of a device's request also decide what the client gets for the user. No redirect URI receives it. */
const targets: readonly Endpoint[] = [...requests, "/oauth/device/code"];

/**
 * Every check, in the order in which an endpoint runs them. If a check up to `checkRedirectUri` fails, `/authorize`
 * responds with a page. If a later check fails, `/authorize` redirects to the client.
 */
export const checks: readonly CheckRow[] = [
  { check: checkMalformedAddress, endpoints: ["/authorize"] },
  { check: checkPushed, endpoints: ["/authorize"] },
  { check: checkDocumentClient, endpoints: ["/authorize"] },
  { check: checkClient, endpoints: requests },
  { check: checkPushRequired, endpoints: ["/authorize", "/passwordless/start"] },
  { check: checkRequestObject, endpoints: ["/authorize"] },
  { check: checkSignedLink, endpoints: ["/passwordless/start"] },
  { check: checkRedirectUri, endpoints: requests },
  { check: checkResponseMode, endpoints: requests },
  { check: checkMalformed, endpoints: ["/authorize", "/oauth/par"] },
  { check: checkResponseType, endpoints: requests },
  { check: checkUnsupported, endpoints: requests },
  { check: checkHints, endpoints: requests },
  { check: checkScope, endpoints: targets },
  { check: checkNonce, endpoints: requests },
  { check: checkPkce, endpoints: requests },
  { check: checkSecureCode, endpoints: requests },
  { check: checkDpopJkt, endpoints: requests },
  { check: checkPrompt, endpoints: requests },
  { check: checkMaxAge, endpoints: requests },
  { check: checkClaims, endpoints: requests },
  { check: checkAudience, endpoints: targets },
  { check: checkDeviceAudience, endpoints: ["/oauth/device/code"] },
  { check: checkConnection, endpoints: requests },
  { check: checkInvitation, endpoints: [...requests, "/u/invitation"] },
  { check: checkOrganization, endpoints: targets },
  { check: checkRequestSize, endpoints: targets },
];

/**
 * Runs the checks of an endpoint one after the other. @throws {PosternError} the error of the first check that fails.
 */
export async function runAuthorizationChecks(endpoint: Endpoint, checked: Checked): Promise<void> {
  for (const { check, endpoints } of checks) if (endpoints.includes(endpoint)) await check(checked);
}
