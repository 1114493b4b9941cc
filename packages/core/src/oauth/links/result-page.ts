import { pageResponse } from "../../login/page.ts";
import { drawLinkResult, type LinkOutcome } from "../../login/pages/link-result.tsx";
import type { Tenant } from "../../tenants/tenant.ts";
import type { Client } from "../../model/clients/client.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import { returnLink } from "../../login/return-link.ts";
import { returnLinkAfter, type OpenedTicket } from "./open-ticket.ts";

/** What became of a link, and what is known of it. */
interface Result {
  readonly outcome: LinkOutcome;
  /** Left out: the link is unknown, or there is none yet. */
  readonly opened?: OpenedTicket;
  /** The client that the person came from, where no ticket says so. */
  readonly client?: Client | undefined;
  readonly uiLocales?: string | undefined;
  /** Another link to set a password would help. */
  readonly asksForReset?: boolean;
  /** The form by which another link is asked for. */
  readonly form?: { readonly action: `/${string}`; readonly ticket: string };
}

/** What the app is told that the browser is led to, in the vendor's words: tools compare none of them. */
const messages: { readonly [Outcome in LinkOutcome]?: string } = {
  verified: "Your email was verified. You can continue using the application.",
  "password-changed": "You can now login to the application with the new password.",
};

/** A page that says what became of a link. */
export async function resultPage(
  tenant: Tenant,
  { outcome, opened, client = opened?.client, uiLocales, asksForReset = false, form }: Result,
): Promise<Response> {
  const message = messages[outcome];
  const bad = outcome === "used" || outcome === "expired" || outcome === "void" || outcome === "unknown";
  const email = bad ? "" : (opened?.user.email ?? "");
  const onward = opened !== undefined && message !== undefined ? returnLinkAfter(tenant, opened, message) : returnLink(tenant, client);
  const resetPage = asksForReset ? forgotPasswordPage(tenant, client, { uiLocales: opened?.look.uiLocales }) : undefined;
  return pageResponse(tenant, {
    client,
    uiLocales,
    ...opened?.look,
    name: "link-result",
    status: bad ? 400 : 200,
    draw: (drawing) => drawLinkResult(drawing, { outcome, email, wayOn: onward, resetPage }),
    ...(outcome === "expired" && form && { action: tenant.urls.urlFor(form.action), hidden: { ticket: form.ticket } }),
  });
}
