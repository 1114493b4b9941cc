import { auditClient, auditUser } from "../../logs/audit.ts";
import * as z from "zod";
import { consumeTicket } from "../../identity/tickets/ticket.ts";
import { disownAccount, proveEmail } from "../../identity/users/prove-email.ts";
import { readCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { sendWelcomeMail } from "../../messages/welcome-mail.ts";
import { sessionCookie } from "../../login/cookies.ts";
import { readBrowserSession } from "../../login/interaction.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import type { LinkOutcome } from "../../login/pages/link-result.tsx";
import { drawLinkVerify } from "../../login/pages/link-verify.tsx";
import { mailNewLink } from "../../messages/links.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { verifyEmailLink } from "../../tenants/ticket-links.ts";
import { resultPage } from "./result-page.ts";
import { linkPage, ticketTextSchema } from "./link-page.ts";
import { openTicket, type OpenedTicket } from "./open-ticket.ts";

const definition = { path: "/u/verify-email", ...linkPage } as const;

/**
 * The page that the link in a verification email opens. A GET request changes nothing; a button submits the decision. A
 * visitor who is signed in to the account confirms the email address. Any other visitor must state whether the account
 * is theirs. Otherwise an attacker could create an account with the email address of another person, and wait until the
 * owner of the address verifies it.
 */
export const verifyEmail = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page that verifies an email address",
    query: z.looseObject({ ticket: ticketTextSchema.exactOptional() }),
  })(async ({ query, request }, { tenant }) => {
    const { ticket = "" } = query;
    const opened = await openTicket(tenant, "verify-email", ticket);
    if (opened === undefined) return resultPage(tenant, { outcome: "unknown" });
    const { state, user, look } = opened;
    if (state === "good" && !user.email_verified && user.linked_to === "") {
      const bySession = await isSignedIn(tenant, request, opened);
      return pageResponse(tenant, {
        ...look,
        name: "link-verify",
        draw: (drawing) => drawLinkVerify(drawing, { email: user.email, bySession }),
        action: tenant.urls.urlFor("/u/verify-email"),
        hidden: { ticket },
      });
    }
    const outcome = outcomeOf(opened);
    // If the account is in a password database, the owner of the mailbox can take it over with a password reset link.
    const asksForReset = outcome === "disowned" && user.provider === "auth0";
    return resultPage(tenant, { outcome, opened, asksForReset, form: { action: definition.path, ticket } });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Verify an email address, or disown the account",
    bodyKind: "form",
    body: z.looseObject({ ticket: ticketTextSchema, action: z.string().max(40) }),
  })(async ({ body, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const opened = await openTicket(tenant, "verify-email", body.ticket);
    if (opened !== undefined) await act(tenant, request, opened, body.action);
    return redirectResponse(verifyEmailLink(tenant, body.ticket));
  }),
];

/** Returns the result of a link that needs no further input. */
function outcomeOf({ state, user }: OpenedTicket): LinkOutcome {
  if (state === "void" || user.linked_to !== "") return "void";
  if (user.email_verified) return "verified";
  if (state === "expired" || state === "replaced") return state;
  return user.password_id === null ? "disowned" : "void";
}

const allAccessRevoked = "The owner of the email address did not create the account: all access was revoked.";
const accessKept =
  "The owner of the email address did not create the account. Access to it does not end, because it has a second factor and is not a new sign-up.";

async function act(tenant: RequestTenant, request: Request, opened: OpenedTicket, action: string): Promise<void> {
  const { ticket, state, user, client } = opened;
  if (state === "expired" && action === "renew") await mailNewLink(tenant, ticket, { ...opened.look, user });
  if (state !== "good") return;
  const account = { userId: user.user_id, email: opened.request.email };
  // Prompts again if the user was signed in when the page was displayed, but no longer is.
  const confirms = action === "yes" || (action === "confirm" && (await isSignedIn(tenant, request, opened)));
  const disowned = confirms || action !== "no" ? "unchanged" : await disownAccount(tenant, account);
  const done = confirms ? await proveEmail(tenant, { ...account, kind: opened.request.proof, byCreator: true }) : disowned !== "unchanged";
  if (!done || !(await consumeTicket(tenant, ticket))) return;
  if (confirms) sendWelcomeMail(tenant, { user, client, uiLocales: opened.look.uiLocales });
  await tenant.audit({
    type: confirms ? "sv" : "fv",
    description: confirms ? user.email : disowned === "disowned" ? allAccessRevoked : accessKept,
    ...auditUser(user),
    ...auditClient(client),
  });
}

/** Whether the browser is signed in with the account itself, and not with an account that is linked to it. */
async function isSignedIn(tenant: RequestTenant, request: Request, { user }: OpenedTicket): Promise<boolean> {
  const signedIn = await readBrowserSession(tenant, readCookie(request, tenant.urls, sessionCookie(tenant)));
  return signedIn !== undefined && signedIn.user.user_id === user.user_id && signedIn.session.account_id === user.user_id;
}
