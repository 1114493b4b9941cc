import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { bindingCookies } from "../../login/cookies.ts";
import { openConnectTicket } from "../../login/open.ts";
import { connectPath, leaveWithTicket } from "../../login/upstream/connect-account.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { closedPage, ticketUsedPage } from "./page.ts";

/**
 * Sends the browser of a signed-in user to an identity provider, with a ticket of the My Account API. The browser returns to
 * the client, which completes the link.
 */
export const connectAccountPage = route({
  path: connectPath,
  method: "GET",
  hasSideEffects: true,
  scopes: "public",
  errorFormat: "page",
  summary: "Connect an account at an identity provider, with the ticket that the My Account API returned",
  description: "The browser must have a session of the user. A ticket can be opened once, within ten minutes.",
  tenantHints: ["ticket"],
  query: z.looseObject({ ticket: z.string().max(200) }),
  responses: {
    303: { error: "redirects to the identity provider; to the client with an error if the browser has no session of the user" },
    400: { error: "a page: the ticket was used or has expired" },
  },
})(async ({ query: { ticket }, request }, { tenant }) => {
  const { browser, cookies } = bindingCookies(tenant, request);
  const opened = await openConnectTicket(tenant, request, ticket, browser);
  if (opened.kind === "closed") return closedPage(tenant, opened);
  const url = await leaveWithTicket(opened.interaction);
  return url === undefined ? ticketUsedPage(opened.interaction) : redirectResponse(url, cookies);
});
