import { redirectResponse } from "../../http/html.ts";
import { forgetTrustedBrowsers } from "../../identity/factors/trusted-browser.ts";
import { securityUrl } from "./security-page.ts";
import type { AccountVisit } from "./visit.ts";

/**
 * Ends the trust in all browsers of the user: from then on, each login asks for a factor. This makes the account safer,
 * so it needs no recent factor and is possible while the factors are frozen.
 */
export async function forgetBrowsers({ tenant, user }: AccountVisit): Promise<Response> {
  await forgetTrustedBrowsers(tenant.data, user.user_id);
  return redirectResponse(securityUrl(tenant, { done: "forgotten" }));
}
