import { redirectResponse } from "../../http/html.ts";
import { pageResponse } from "../../login/page.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { drawClosed } from "./pages/closed.tsx";
import { provePage } from "./prove.tsx";
import type { AccountSection } from "./section.ts";
import { sectionPage, sectionUrl, type AccountState } from "./section-page.tsx";
import type { AccountVisit } from "./visit.ts";

/** Returns the page of a section that the URL names. A page of a change requires that the user may change the account. */
export async function showSection(section: AccountSection, visit: AccountVisit, state: AccountState): Promise<Response> {
  const { pages = {}, overview } = section;
  const page = state.view !== undefined && Object.hasOwn(pages, state.view) ? pages[state.view] : undefined;
  if (page === undefined) return overview(visit, state);
  if (visit.isReadOnly) return redirectResponse(sectionUrl(visit));
  return (await requirePermission(visit, state)) ?? page(visit, state);
}

/** Returns the page that the user sees instead of a change that they may not make now. */
async function requirePermission(visit: AccountVisit, state: AccountState): Promise<Response | undefined> {
  const { tenant, place, permission } = visit;
  const { view, id, type, new: added } = state;
  switch (permission.kind) {
    case "allowed":
      return undefined;
    case "challenge":
      return provePage({ visit, types: permission.types, view: { view, id, type, new: added } }, state);
    default: {
      const { kind: reason } = permission;
      const back = sectionUrl(visit);
      if (reason !== "sign-in-again" || place.client === undefined) {
        const logout = reason === "sign-in-again" ? { logout: signOutUrl(tenant) } : {};
        return pageResponse(tenant, { name: "account-closed", draw: (drawing) => drawClosed(drawing, { reason, back, ...logout }) });
      }
      // The login page may be a page of the host application.
      return sectionPage(
        visit,
        { view, id, type, new: added },
        { name: "account-closed", redirectsAfterSubmit: true, draw: (drawing) => drawClosed(drawing, { reason, back, canSignIn: true }) },
      );
    }
  }
}

/** Returns the URL at which the user signs out. */
export function signOutUrl({ urls, tenantParameter }: RequestTenant, clientId?: string): string {
  const parameters = new URLSearchParams({ ...tenantParameter, ...(clientId !== undefined && { client_id: clientId }) }).toString();
  return urls.urlFor("/oidc/logout") + (parameters === "" ? "" : `?${parameters}`);
}
