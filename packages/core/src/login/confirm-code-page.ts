import type { RegisteredClient } from "../model/clients/client.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { pageResponse } from "./page.ts";
import { drawConfirmCode, type ConfirmCode } from "./pages/confirm-code.tsx";
import { returnLink } from "./return-link.ts";

/** The page of a sign-in link. */
interface ConfirmCodePage {
  readonly client: RegisteredClient;
  /** The path to which the form is sent. */
  readonly path: `/${string}`;
  /** The hidden fields of the form. */
  readonly hidden: { readonly [name: string]: string };
  readonly uiLocales: string | undefined;
}

/** Responds with the page that asks whether to sign in with a link from a message. The status is 400 if that is impossible. */
export function confirmCodePage(
  tenant: RequestTenant,
  { client, path, hidden, uiLocales }: ConfirmCodePage,
  shown: Omit<ConfirmCode, "returnLink">,
): Promise<Response> {
  return pageResponse(tenant, {
    name: "confirm-code",
    draw: (drawing) => drawConfirmCode(drawing, { ...shown, returnLink: returnLink(tenant, client) }),
    client,
    action: tenant.urls.urlFor(path),
    hidden,
    redirectsAfterSubmit: true,
    uiLocales,
    status: shown.problem === undefined ? 200 : 400,
  });
}
