import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { findFactors } from "../../identity/factors/factors.ts";
import { freezeFactors } from "../../identity/factors/frozen-factors.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import { consumeTicket } from "../../identity/tickets/ticket.ts";
import { endAccess } from "../../identity/users/account-access.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import { drawLinkUndo } from "../../login/pages/link-undo.tsx";
import { accountLabel } from "../../login/factors/account-label.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { undoFactorChangeLink } from "../../tenants/ticket-links.ts";
import { linkPage, ticketTextSchema } from "./link-page.ts";
import { openTicket, type OpenedTicket } from "./open-ticket.ts";
import { resultPage } from "./result-page.ts";

const definition = { path: "/u/undo-factor-change", ...linkPage } as const;

/** How long after the link was used the page confirms it, in milliseconds: a second click shows the same page. */
const confirmationLifetime = 60_000;

/** How long before the reported change a factor may have been added by the same visitor, in milliseconds. */
const recentlyAdded = 24 * 60 * 60_000;

/**
 * The page that the link in an email about a change of factors, of an address or of the username opens. It protects the
 * account of a user who did not make the change: it ends all sessions, and the user cannot change the account for 24 hours.
 * After a change of an address, no link or code sets a password in that time either. It withdraws a request for deletion. It
 * restores nothing, never adds or removes a factor and never signs in, because a thief of the mailbox has the link too. A
 * GET request changes nothing.
 */
export const undoFactorChange = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page that protects an account after a change of second factors or addresses",
    query: z.looseObject({ ticket: ticketTextSchema.exactOptional() }),
  })(async ({ query: { ticket = "" } }, { tenant }) => {
    const opened = await findOpened(tenant, ticket);
    if (opened === undefined) return resultPage(tenant, { outcome: "unknown" });
    if (opened.state !== "good") return usedPage(tenant, opened);
    return pageResponse(tenant, {
      ...opened.look,
      name: "link-undo",
      draw: (drawing) =>
        drawLinkUndo(drawing, {
          account: maskAddress(opened.request.email || accountLabel(opened.user)),
          isDeletionPending: opened.user.deletes_at !== null,
        }),
      action: tenant.urls.urlFor(definition.path),
      hidden: { ticket },
    });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Protect an account after a change of second factors or addresses",
    bodyKind: "form",
    body: z.looseObject({ ticket: ticketTextSchema }),
  })(async ({ body: { ticket }, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const opened = await findOpened(tenant, ticket);
    if (opened?.state === "good") await protect(tenant, opened);
    return redirectResponse(undoFactorChangeLink(tenant, ticket));
  }),
];

/** Reads a ticket. Undefined also if its account was linked to another one, whose factors apply now. */
async function findOpened(tenant: RequestTenant, text: string): Promise<OpenedTicket | undefined> {
  const opened = await openTicket(tenant, "undo-factor-change", text);
  return opened?.user.linked_to === "" ? opened : undefined;
}

/**
 * Ends the access to the account. The ticket is marked as used at the end, so that the link still works after a crash.
 * The factors are frozen first, so that a session that still exists cannot change them.
 */
async function protect(tenant: RequestTenant, opened: OpenedTicket): Promise<void> {
  const { ticket, user, client } = opened;
  const about = { ...auditClient(client), ...auditUser(user) };
  const scope = hasOtherAddress(opened) ? "with-password" : "factors";
  const { wasDeletionPending } = await freezeFactors(tenant, user.user_id, scope);
  if (wasDeletionPending) {
    const description = "The user reported a change that they did not make: the account is not deleted.";
    await tenant.audit({ type: "my_account_deletion_withdrawn", description, ...about });
  }
  await endAccess(tenant, { event: "undo-factor-change", userId: user.user_id });
  if (!(await consumeTicket(tenant, ticket))) return;
  await tenant.audit({
    type: "w",
    description: "The user reported a change that they did not make: all sessions were ended, and changes are frozen for 24 hours.",
    ...about,
  });
}

async function usedPage(tenant: RequestTenant, opened: OpenedTicket): Promise<Response> {
  const { consumed_at: used } = opened.ticket;
  const isRecent = used !== null && used > tenant.now() - confirmationLifetime;
  if (!isRecent) return resultPage(tenant, { outcome: opened.state === "expired" ? "undo-expired" : "undo-used", opened });
  // The links and codes for a new password go to the changed address.
  if (hasOtherAddress(opened)) return resultPage(tenant, { outcome: "address-remains", opened });
  const outcome = (await remainsChanged(tenant, opened)) ? "factor-remains" : "protected";
  return resultPage(tenant, { outcome, opened, asksForReset: opened.user.password_id !== null });
}

/**
 * Whether the message with the link reports a change of an address, or the email address changed after it. An attacker can
 * change several things, and each message has its own link.
 */
function hasOtherAddress({ request, user }: OpenedTicket): boolean {
  return request.change === "email" || request.change === "phone" || user.email.toLowerCase() !== request.email.toLowerCase();
}

/** Whether the user still has a factor that was added or replaced recently, possibly by an attacker. */
async function remainsChanged(tenant: RequestTenant, { ticket, request, user }: OpenedTicket): Promise<boolean> {
  if (request.change === "replaced") return true;
  const earliest = ticket.created_at - recentlyAdded;
  const factors = await findFactors(tenant.data, user);
  return factors.some(({ confirmed_at: at }) => at !== null && at > earliest);
}
