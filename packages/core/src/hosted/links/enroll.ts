import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { forgetRecoveryCode } from "../../identity/tickets/ticket.ts";
import { pageResponse } from "../../login/page.ts";
import { drawRecoveryCode } from "../../login/steps/recovery-code/page.tsx";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { enrollmentLink } from "../../tenants/ticket-links.ts";
import { enrollmentPage, submitNewFactor } from "./enroll-factor.ts";
import { readEnrollment } from "./enrollment-state.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { linkFactorFields, linkFactorQuery, linkPage, ticketTextSchema } from "./link-page.ts";
import { openTicket, type OpenedTicket } from "./open-ticket.ts";
import { linkFactorChoice, linkFactorPage, submitLinkFactor, type LinkFactorPage } from "./link-factor.ts";
import { resultPage } from "./result-page.ts";

const definition = { path: "/guardian/enroll", ...linkPage } as const;

const page: LinkFactorPage = {
  path: definition.path,
  about: "linkEnrollFor",
  offersOtherAccount: false,
};

/**
 * The page that an enrollment ticket opens: a user adds a second factor without a session, and none is started. A GET
 * request changes nothing. A user who has a factor passes it first, so that a reader of the mail cannot add another one.
 */
export const enrollFactorPage = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page that adds a second factor",
    query: z.looseObject({
      ticket: ticketTextSchema.exactOptional(),
      ...linkFactorQuery,
      correction: z.string().max(300).exactOptional(),
    }),
  })(async ({ query: { ticket = "", problem = "", correction, factor, destination, sent, channel }, request }, { tenant }) => {
    const opened = await openTicket(tenant, "enroll-factor", ticket);
    if (opened === undefined) return resultPage(tenant, { outcome: "unknown" });
    const state = await readEnrollment(tenant, opened, request);
    switch (state.kind) {
      case "ended":
        return resultPage(tenant, { outcome: problem === "already-enrolled" ? "other-factor-added" : "ended", opened });
      case "challenge":
        return linkFactorPage(
          tenant,
          { page, ticketText: ticket, opened, missing: state.missing, request },
          { factor, destination, sent, channel, problem },
        );
      case "done":
        return state.recoveryCode === undefined
          ? resultPage(tenant, { outcome: "enrolled", opened })
          : recoveryCodePage(tenant, opened, ticket, state.recoveryCode);
      default:
        return enrollmentPage(tenant, { ticketText: ticket, opened, enrollment: state }, { factor, sent, problem, correction });
    }
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Add a second factor",
    bodyKind: "form",
    body: z.looseObject({
      ticket: ticketTextSchema,
      ...linkFactorFields,
      phone: z.string().max(100).exactOptional(),
    }),
  })(async ({ body, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const { ticket, action = "", code = "", phone = "", response = "", factor, channel } = body;
    const { current_channel: currentChannel, rendering } = body;
    const opened = await openTicket(tenant, "enroll-factor", ticket);
    const state = opened && (await readEnrollment(tenant, opened, request));
    if (opened === undefined || state === undefined) return redirectResponse(enrollmentLink(tenant, ticket));
    const isOvertaken = state.kind === "challenge" || (state.kind === "ended" && state.isEnrolled === true);
    if (isOvertaken && (action === "confirm-new-factor" || action === "confirm-key"))
      return redirectResponse(`${enrollmentLink(tenant, ticket)}&problem=already-enrolled`);
    if (state.kind === "challenge") {
      const { missing } = state;
      return submitLinkFactor(
        tenant,
        { page, ticketText: ticket, opened, missing, request },
        { action, code, response, ...linkFactorChoice(body), channel, currentChannel, rendering },
      );
    }
    if (state.kind === "open")
      return submitNewFactor(
        tenant,
        { ticketText: ticket, opened, enrollment: state },
        { action, code, phone, channel, response, factor, rendering },
      );
    if (state.kind === "done" && action === "recovery-code-stored") await forgetRecoveryCode(tenant, opened.ticket);
    return redirectResponse(enrollmentLink(tenant, ticket));
  }),
];

function recoveryCodePage(tenant: RequestTenant, { look }: OpenedTicket, ticket: string, code: string): Promise<Response> {
  return pageResponse(tenant, {
    ...look,
    name: "recovery-code",
    draw: (drawing) => drawRecoveryCode({ ...drawing, problem: undefined }, { name: "recovery-code", code }),
    action: tenant.urls.urlFor(definition.path),
    hidden: { ticket },
  });
}
