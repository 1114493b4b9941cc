import { checkAudience } from "./audience.ts";
import type { Check } from "./check.ts";
import { checkClaims } from "./claims.ts";
import { checkClient } from "./client.ts";
import { checkConnection } from "./connection.ts";
import { checkHints } from "./hints.ts";
import { checkInvitation } from "./invitation.ts";
import { checkMalformed, checkMalformedAddress } from "./malformed.ts";
import { checkMaxAge } from "./max-age.ts";
import { checkNonce } from "./nonce.ts";
import { checkOrganization } from "./organization.ts";
import { checkPkce } from "./pkce.ts";
import { checkPrompt } from "./prompt.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import { checkResponseMode } from "./response-mode.ts";
import { checkResponseType } from "./response-type.ts";
import { checkScope } from "./scope.ts";
import { checkSize } from "./size.ts";
import { checkUnsupported } from "./unsupported.ts";

/** Until these have passed nobody is redirected anywhere: a failure is a page. */
export const checksBeforeRedirect: readonly Check[] = [checkMalformedAddress, checkClient, checkRedirectUri];

/** A failure of these is told to the client, through the redirect. The first says how. */
export const checks: readonly Check[] = [
  checkResponseMode,
  checkMalformed,
  checkResponseType,
  checkUnsupported,
  checkHints,
  checkScope,
  checkNonce,
  checkPkce,
  checkPrompt,
  checkMaxAge,
  checkClaims,
  checkAudience,
  checkConnection,
  checkInvitation,
  checkOrganization,
  checkSize,
];
