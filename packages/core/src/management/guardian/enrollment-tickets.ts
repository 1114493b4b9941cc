import { PosternError } from "../../errors.ts";
import { enrollableFactors } from "../../identity/factors/factor-policy.ts";
import { createTicket, ticketIdOf } from "../../identity/tickets/ticket.ts";
import { auditUser } from "../../logs/audit.ts";
import { isSecondFactor, readSituation } from "../../authorization/step-up/situation.ts";
import { mailboxOf } from "../../authorization/step-up/mailed-link.ts";
import { mailEnrollmentLink } from "../../messages/links.ts";
import { canMail } from "../../messages/send.ts";
import { createEnrollmentTicketSchema, enrollmentTicketReplySchema } from "../../model/factors/enrollment-tickets.ts";
import { fromApiFactorType } from "../../model/factors/factor-types.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { enrollmentLink } from "../../tenants/ticket-links.ts";
import { findPrimary } from "../users/find-user.ts";

/** The route for links with which users add a second factor. */
export const enrollmentTickets = [
  route({
    method: "POST",
    path: "/api/v2/guardian/enrollments/ticket",
    operation: "guardian.enrollments.createTicket",
    summary: "Create a link with which a user adds a second factor",
    description:
      "The link is valid for five days and can be used once. It is void after a change of the user's password or email address. The page starts no session. A user who has a factor must pass it first.",
    scopes: ["create:guardian_enrollment_tickets"],
    body: createEnrollmentTicketSchema,
    responses: {
      200: enrollmentTicketReplySchema,
      404: "inexistent_user",
      409: { error: "conflict: the user has a factor, and `allow_multiple_enrollments` is not set" },
      429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many messages were sent to the email address" },
    },
  })(async ({ body }, { tenant }) => {
    const { user_id: userId, send_mail: sendsMail = false, factor, email_locale: locale } = body;
    const allowsMore = body.allow_multiple_enrollments === true;
    const user = await findPrimary(tenant, userId);
    const to = body.email ?? user.email;
    if (sendsMail && !canMail(tenant))
      throw new PosternError("invalid_request", "this installation cannot send email", { errorCode: "operation_not_supported" });
    if (sendsMail && to === "") throw invalidBody("'email' is missing, and the user has no email address");
    const { situation } = await readSituation({ tenant, user, first: mailboxOf(user, tenant.now()), trustedBrowser: undefined });
    // Auth0 documents only what the flag allows. A ticket that its holder cannot use would be found out too late.
    if (!allowsMore && situation.enrolled.some(isSecondFactor))
      throw new PosternError("conflict", "The user already has a factor. Set 'allow_multiple_enrollments' to let them add another one.");
    const type = factor && fromApiFactorType(factor);
    const addable = enrollableFactors(situation);
    if (addable.length === 0)
      throw invalidBody("no factor is enabled that users can add here: enable one with PUT /api/v2/guardian/factors/{name}");
    if (factor !== undefined && !addable.some((one) => one === type))
      throw invalidBody(`'factor' is '${factor}', which the user cannot add: it is not enabled or not supported`);
    const text = await createTicket(tenant, {
      purpose: "enroll-factor",
      user,
      request: {
        ...(type !== undefined && { factor: type }),
        ...(allowsMore && { allows_more_factors: true }),
        ...(locale !== undefined && { ui_locales: locale.replaceAll("_", "-") }),
      },
    });
    const ticketId = await ticketIdOf(tenant.data, text);
    if (sendsMail) {
      const refusal = await mailEnrollmentLink(tenant, text, { user, to, uiLocales: locale?.replaceAll("_", "-") });
      if (refusal !== undefined) throw refusal;
      await tenant.audit({
        type: "gd_send_email",
        description: "A link to add a second factor was sent.",
        details: { ticket_id: ticketId },
        ...auditUser(user),
      });
    }
    return { ticket_id: ticketId, ticket_url: enrollmentLink(tenant, text) };
  }),
];
