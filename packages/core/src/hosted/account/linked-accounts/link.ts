import { redirectResponse } from "../../../http/html.ts";
import { linkableProviders } from "../../../login/upstream/linkable-providers.ts";
import { toProviderChoice } from "../../../login/upstream/providers.ts";
import type { Row } from "../../../store/schema.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import { linkAtPage } from "../sign-in.ts";
import type { AccountVisit } from "../visit.ts";
import { drawLink } from "./link-page.tsx";

/** Returns the identity providers at which the user can link an account on the page. */
export async function providersOnPage({ tenant, place, user }: AccountVisit): Promise<readonly Row<"connections">[]> {
  return place.client === undefined ? [] : linkableProviders(tenant, place.client, user);
}

/** Returns the page on which the user chooses an identity provider. */
export async function chooseProviderPage(visit: AccountVisit, { problem }: AccountState): Promise<Response> {
  const providers = (await providersOnPage(visit)).map((connection) => toProviderChoice(visit.tenant, connection));
  if (providers.length === 0) return redirectResponse(sectionUrl(visit));
  const back = sectionUrl(visit);
  return sectionPage(
    visit,
    { view: "link" },
    {
      name: "account-linked",
      redirectsAfterSubmit: true,
      draw: (drawing) => drawLink({ ...drawing, problem: problemNamed(problem) }, { providers, back }),
    },
  );
}

/** Redirects the user to the identity provider. */
export async function startLink(visit: AccountVisit, form: AccountForm, request: Request): Promise<Response> {
  const { tenant, place, user, session } = visit;
  const name = form.text("connection");
  const connection = (await providersOnPage(visit)).find((one) => one.name === name);
  if (connection === undefined || place.client === undefined) return redirectResponse(sectionUrl(visit));
  const linking = { client: place.client, url: sectionUrl(visit), connection: name, userId: user.user_id, sessionId: session.id };
  return linkAtPage(tenant, request, linking);
}
