import { pageResponse } from "../../login/page.ts";
import { drawLinkResult, type LinkOutcome } from "../../login/pages/link-result.tsx";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import { returnLink } from "../../login/return-link.ts";
import { returnLinkAfter, type OpenedTicket } from "./open-ticket.ts";

/** The result of opening a link, and the data for the page with that result. */
interface Result {
  readonly outcome: LinkOutcome;
  /** Omitted if the link is unknown or does not exist yet. */
  readonly opened?: OpenedTicket;
  /** The client that the user came from, if no ticket names a client. */
  readonly client?: RegisteredClient | undefined;
  readonly uiLocales?: string | undefined;
  /** Whether the page offers to request another link to set a password. */
  readonly asksForReset?: boolean;
  /** The form that requests another link. */
  readonly form?: { readonly action: `/${string}`; readonly ticket: string };
}

/** The `message` parameter of the link back to the application. The texts are Auth0's, but no tool compares them. */
const messages: { readonly [Outcome in LinkOutcome]?: string } = {
  verified: "Your email was verified. You can continue using the application.",
  "password-changed": "You can now login to the application with the new password.",
};

/** The outcomes of a link that is no longer valid. */
const invalid: readonly LinkOutcome[] = ["used", "expired", "void", "ended", "other-factor-added", "undo-used", "undo-expired", "unknown"];

/** Returns the page with the result of opening a link. */
export async function resultPage(
  tenant: RequestTenant,
  { outcome, opened, client = opened?.client, uiLocales, asksForReset = false, form }: Result,
): Promise<Response> {
  const message = messages[outcome];
  const isInvalid = invalid.includes(outcome);
  const isUndone = outcome === "protected" || outcome === "factor-remains" || outcome === "address-remains";
  const email = isInvalid || isUndone ? "" : (opened?.user.email ?? "");
  const onward = opened !== undefined && message !== undefined ? returnLinkAfter(tenant, opened, message) : returnLink(tenant, client);
  const resetPage = asksForReset ? forgotPasswordPage(tenant, client, { uiLocales: opened?.look.uiLocales }) : undefined;
  return pageResponse(tenant, {
    client,
    uiLocales,
    ...opened?.look,
    name: "link-result",
    status: isInvalid ? 400 : 200,
    draw: (drawing) => drawLinkResult(drawing, { outcome, email, returnLink: onward, resetPage }),
    ...(outcome === "expired" && form && { action: tenant.urls.urlFor(form.action), hidden: { ticket: form.ticket } }),
  });
}
