import { sessionTenants, sessionCookie } from "../login/cookies.ts";
import { readBrowserSession } from "../login/interaction.ts";
import { readCookie } from "../http/cookies.ts";
import type { RequestInfo } from "../context.ts";
import { findTenant, type Installation } from "../tenants/installation.ts";
import type { TenantHint } from "../tenants/resolve.ts";
import { RequestTenant } from "../tenants/tenant.ts";

/** The maximum number of session cookies that are read. */
const maximumCookies = 5;

/**
 * Returns the tenant of the browser's session, on a host that several tenants share. If the browser has sessions of
 * several tenants there, this is the tenant that serves requests without a hint, otherwise the tenant at which the user
 * signed in last. Undefined if the browser has no session.
 */
export async function sessionTenant(
  installation: Installation,
  { urls }: TenantHint,
  request: Request,
  requestInfo: RequestInfo,
): Promise<string | undefined> {
  const signedInAt = async (id: string): Promise<{ readonly id: string; readonly at: number } | undefined> => {
    const entry = await findTenant(installation, id);
    if (entry === undefined) return undefined;
    const tenant = new RequestTenant(installation, entry, urls, requestInfo);
    const browser = await readBrowserSession(tenant, readCookie(request, urls, sessionCookie(tenant)));
    return browser && { id, at: browser.session.authenticated_at };
  };
  const read = await Promise.allSettled(sessionTenants(request, urls).slice(0, maximumCookies).map(signedInAt));
  // A tenant whose database fails cannot show a page. The page of another tenant does not depend on it.
  const sessions = read.flatMap((result) => (result.status === "fulfilled" && result.value !== undefined ? [result.value] : []));
  const preferred = installation.defaultTenantId ?? installation.controlPlaneTenantId;
  const [newest] = sessions.toSorted((one, other) => other.at - one.at);
  return (sessions.find(({ id }) => id === preferred) ?? newest)?.id;
}
