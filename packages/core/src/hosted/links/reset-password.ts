import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { passwordRules } from "../../identity/passwords/policy.ts";
import { redirectResponse } from "../../http/html.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import type { LinkOutcome } from "../../login/pages/link-result.tsx";
import { drawLinkPassword } from "../../login/pages/link-password.tsx";
import { newPasswordProblems, refusedPassword, rulesWithResults } from "../../login/new-password.ts";
import type { Problem } from "../../login/step.ts";
import { nameOf } from "../../login/steps/name-of.ts";
import { mailNewLink } from "../../messages/links.ts";
import { setNewPassword } from "../../messages/set-new-password.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import { linkFactorFields, linkFactorQuery, linkPage, ticketTextSchema } from "./link-page.ts";
import { openTicket, type OpenedTicket } from "./open-ticket.ts";
import {
  factorForLink,
  linkFactorActions,
  passedFactorForLink,
  linkFactorChoice,
  linkFactorPage,
  submitLinkFactor,
  type LinkFactorPage,
} from "./link-factor.ts";
import { resultPage } from "./result-page.ts";
import { markUsed, wasUsedHere } from "./used-by-browser.ts";

const definition = { path: "/u/reset-password", ...linkPage } as const;

const page: LinkFactorPage = {
  path: definition.path,
  about: "newPasswordFor",
  offersOtherAccount: true,
};

/**
 * The page that the link in a password reset email opens: a form for a new password. A GET request changes nothing. If
 * a password is rejected, the browser is redirected to this page with the reason in the URL.
 */
export const resetPasswordPage = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the form for a new password",
    query: z.looseObject({
      ticket: ticketTextSchema.exactOptional(),
      ...linkFactorQuery,
      unkept: z.string().max(500).exactOptional(),
    }),
  })(async ({ query: { ticket = "", problem = "", unkept, factor, destination, sent, channel }, request }, { tenant }) => {
    if (ticket === "") return redirectResponse(forgotPasswordPage(tenant));
    const opened = await openTicket(tenant, "reset-password", ticket);
    const connection = opened && (await databaseOf(tenant, opened.user));
    if (opened === undefined || connection === undefined) return resultPage(tenant, { outcome: "unknown", asksForReset: true });
    const { state, user, look } = opened;
    if (state !== "good") {
      const isOwn = state === "used" && (await wasUsedHere(tenant, opened.ticket, request));
      const outcome = isOwn ? "password-changed" : outcomes[state];
      return resultPage(tenant, {
        outcome,
        opened,
        asksForReset: outcome === "used" || outcome === "void",
        form: { action: definition.path, ticket },
      });
    }
    const missing = await factorForLink(tenant, opened, request);
    if (missing !== undefined)
      return linkFactorPage(
        tenant,
        { page, ticketText: ticket, opened, missing, request },
        { factor, destination, sent, channel, problem },
      );
    const rules = rulesWithResults(passwordRules("", databaseOptions(connection)), unkept?.split(" "));
    return pageResponse(tenant, {
      ...look,
      name: "link-password",
      draw: (drawing) => drawLinkPassword(drawing, { account: nameOf(user), rules, problem: problems.get(problem) }),
      action: tenant.urls.urlFor(definition.path),
      hidden: { ticket },
    });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Set a new password",
    bodyKind: "form",
    body: z.looseObject({
      ticket: ticketTextSchema,
      ...linkFactorFields,
      password: z.string().max(10_000).exactOptional(),
    }),
  })(async ({ body, request }, { tenant }) => {
    const { ticket, action = "", password = "", code = "", response = "", channel } = body;
    const { current_channel: currentChannel, rendering } = body;
    checkOwnForm(tenant, request);
    const opened = await openTicket(tenant, "reset-password", ticket);
    if (opened?.state === "expired" && action === "renew") await mailNewLink(tenant, opened.ticket, { ...opened.look, user: opened.user });
    const missing = opened?.state === "good" ? await factorForLink(tenant, opened, request) : undefined;
    if (opened !== undefined && missing !== undefined)
      return submitLinkFactor(
        tenant,
        { page, ticketText: ticket, opened, missing, request },
        { action, code, response, ...linkFactorChoice(body), channel, currentChannel, rendering },
      );
    if (linkFactorActions.includes(action))
      return redirectResponse(`${tenant.urls.urlFor(definition.path)}?${new URLSearchParams({ ticket })}`);
    const fault =
      opened?.state === "good"
        ? await set(tenant, opened, { password, isConfirmed: await passedFactorForLink(tenant, opened, request) })
        : undefined;
    // A double click sends the form twice, and the browser displays the response to the request that lost the race.
    // That response must confirm the new password too.
    const isUsed =
      opened?.state === "good" && fault === undefined && (await openTicket(tenant, "reset-password", ticket))?.state === "used";
    const cookies = isUsed ? [await markUsed(tenant, opened.ticket)] : [];
    return redirectResponse(`${tenant.urls.urlFor(definition.path)}?${new URLSearchParams({ ticket, ...fault })}`, cookies);
  }),
];

const outcomes: { readonly [State in Exclude<OpenedTicket["state"], "good">]: LinkOutcome } = {
  used: "used",
  expired: "expired",
  replaced: "replaced",
  void: "void",
};

const problems: ReadonlyMap<string, Problem> = new Map(Object.entries(newPasswordProblems));

/** Returns the password database of an account, if it has one. */
async function databaseOf(tenant: RequestTenant, user: Row<"users">): Promise<Row<"connections"> | undefined> {
  const connection = await tenant.connections.named(user.connection);
  return connection?.strategy === "auth0" ? connection : undefined;
}

/**
 * Sets the password.
 * @returns the problem with the password, as parameters for the URL of the page; undefined if this or a parallel
 * request set the password.
 */
async function set(
  tenant: RequestTenant,
  { ticket, request, user, client, look }: OpenedTicket,
  { password, isConfirmed }: { readonly password: string; readonly isConfirmed: boolean },
): Promise<{ readonly [parameter: string]: string } | undefined> {
  const connection = await databaseOf(tenant, user);
  if (connection === undefined) return undefined;
  if (password === "") return { problem: "password-missing" };
  const provesEmail = request.proves_email ? request.proof : undefined;
  const outcome = await setNewPassword(tenant, { ...look, connection, account: user, password, client, ticket, provesEmail, isConfirmed });
  if (outcome.kind === "frozen") return { problem: "password-frozen" };
  if (outcome.kind !== "refused") return undefined;
  const { problem, unkept = [] } = refusedPassword(outcome.fault);
  return { problem, ...(unkept.length > 0 && { unkept: unkept.join(" ") }) };
}
