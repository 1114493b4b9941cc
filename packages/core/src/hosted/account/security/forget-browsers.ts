import { redirectResponse } from "../../../http/html.ts";
import { forgetTrustedBrowsers } from "../../../identity/factors/trusted-browser.ts";
import { sectionUrl } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";

/**
 * Ends the trust in all browsers of the user: from then on, each login asks for a factor. This makes the account safer,
 * so it needs no recent factor and is possible while the factors are frozen.
 */
export async function forgetBrowsers(visit: AccountVisit): Promise<Response> {
  const { tenant, user } = visit;
  await forgetTrustedBrowsers(tenant.data, user.user_id);
  return redirectResponse(sectionUrl(visit, { done: "forgotten" }));
}
