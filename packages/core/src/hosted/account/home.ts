import { publicClientId } from "../../model/clients/client-id.ts";
import { claimMembers } from "../../model/users/standard-claims.ts";
import type { BrowserSession } from "../../login/interaction.ts";
import { pageResponse } from "../../login/page.ts";
import { nameOf } from "../../login/steps/name-of.ts";
import { drawHome } from "./pages/home.tsx";
import { accountUrl, type AccountPlace } from "./place.ts";
import { sections } from "./sections.ts";
import { signOutUrl } from "./show-section.ts";
import { shownSections } from "../../tenants/account-sections.ts";

/** Returns the page that lists the sections. */
export function accountHomePage(place: AccountPlace, { user }: BrowserSession): Promise<Response> {
  const { tenant, client, back } = place;
  const shown = shownSections(tenant);
  return pageResponse(tenant, {
    name: "account-home",
    client,
    uiLocales: claimMembers(user).locale,
    draw: (drawing) =>
      drawHome(drawing, {
        account: nameOf(user),
        sections: sections
          .filter(({ name }) => shown.includes(name))
          .map(({ name, title }) => ({ title: drawing.t.text(title), href: accountUrl(place, name) })),
        back,
        logout: signOutUrl(tenant, client && publicClientId(client.record)),
      }),
  });
}
