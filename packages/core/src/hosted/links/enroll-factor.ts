import { sha256 } from "../../adapters/digest.ts";
import { mailboxOf } from "../../authorization/step-up/mailed-link.ts";
import { redirectResponse } from "../../http/html.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { areFactorsFrozen } from "../../identity/factors/frozen-factors.ts";
import { getsRecoveryCode, newRecoveryCode, type HashedRecoveryCode } from "../../identity/factors/recovery-code.ts";
import { releaseTicket, useTicketFor } from "../../identity/tickets/ticket.ts";
import { maskedAccount } from "../../login/factors/account-label.ts";
import type { EnrollmentContext } from "../../login/factors/confirm-new-factor.ts";
import { submitEnrollment, type EnrollmentForm, type EnrollmentOutcome } from "../../login/factors/enrollment-form.ts";
import { drawAddFactor } from "../../login/factors/enrollment-page.tsx";
import { enrollmentScreen } from "../../login/factors/enrollment-screen.ts";
import { resendDelay } from "../../login/factors/send-code.ts";
import { addFactorProblem } from "../../login/factors/shown-correction.ts";
import { pageResponse } from "../../login/page.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { enrollmentLink } from "../../tenants/ticket-links.ts";
import { forgetEnrollment, recoveryCodePlace, rememberEnrollment, sealedRecoveryCode, type OpenEnrollment } from "./enrollment-state.ts";
import type { OpenedTicket } from "./open-ticket.ts";

/** An opened link with which the user can add a factor. */
export interface EnrollmentLink {
  readonly ticketText: string;
  readonly opened: OpenedTicket;
  readonly enrollment: OpenEnrollment;
}

/** The parameters in the URL of the page. */
interface LinkView {
  /** The type that the user chose. */
  readonly factor?: string | undefined;
  /** Present if a code was sent. */
  readonly sent?: string | undefined;
  readonly problem?: string | undefined;
  readonly correction?: string | undefined;
}

/** Returns the page on which the user chooses and confirms the new factor. It contains the key of an app only in the browser that adds it. */
export async function enrollmentPage(
  tenant: RequestTenant,
  link: EnrollmentLink,
  { factor: chosen, sent, ...reported }: LinkView,
): Promise<Response> {
  const { ticketText, opened, enrollment } = link;
  const { options, factor } = enrollment;
  const screen = await enrollmentScreen(contextOf(tenant, link), {
    options,
    chosen: options.find((type) => type === chosen),
    factor,
    // The holder of the link may be another person than the user.
    masksAddress: true,
    ...(sent !== undefined && { last: { resendIn: resendDelay } }),
  });
  const problem = await addFactorProblem(tenant, opened.ticket.ticket_hash, reported);
  return pageResponse(tenant, {
    ...opened.look,
    name: "add-factor",
    draw: (drawing) => ({
      problem: problem !== undefined,
      ...drawAddFactor({ ...drawing, problem }, screen, {
        lead: drawing.t.text("securityAddLead"),
        about: { account: maskedAccount(opened.user), about: drawing.t.text("linkEnrollFor") },
        exit: null,
      }),
    }),
    action: tenant.urls.urlFor("/guardian/enroll"),
    hidden: { ticket: ticketText, rendering: tenant.random.token(9) },
  });
}

/** Handles a form of the page. A form that does not fit the current state changes nothing. */
export async function submitNewFactor(tenant: RequestTenant, link: EnrollmentLink, form: EnrollmentForm): Promise<Response> {
  const { options, factor } = link.enrollment;
  const url = enrollmentLink(tenant, link.ticketText);
  // The ticket stays valid, so that the user can add the factor later.
  if (areFactorsFrozen(tenant, link.opened.user)) return redirectResponse(url);
  const outcome = await submitEnrollment(contextOf(tenant, link), { options, chosen: "webauthn-roaming", factor }, form);
  const { view = {}, cookies = [] } = await follow(tenant, link, outcome);
  return redirectResponse(Object.keys(view).length === 0 ? url : `${url}&${new URLSearchParams({ ...view })}`, cookies);
}

/** Returns the parameters in the URL of the page after a form, and the cookies. */
async function follow(
  tenant: RequestTenant,
  { opened, enrollment }: EnrollmentLink,
  outcome: EnrollmentOutcome,
): Promise<{ readonly view?: object; readonly cookies?: readonly string[] }> {
  switch (outcome.kind) {
    case "chosen":
      return { view: { factor: outcome.type, ...outcome.view }, cookies: [forgetEnrollment(tenant)] };
    case "pending": {
      const isNew = outcome.factor.id !== enrollment.factor?.id;
      return { view: outcome.view, cookies: isNew ? [await rememberEnrollment(tenant, opened, outcome.factor.id)] : [] };
    }
    case "confirmed":
      return { cookies: [await rememberEnrollment(tenant, opened, outcome.factor.id)] };
    case "already-enrolled":
      // The user must pass the other factor, and the ticket stays valid.
      await releaseTicket(tenant, opened.ticket, outcome.factor.id);
      return { view: { problem: "already-enrolled" }, cookies: [forgetEnrollment(tenant)] };
    case "list":
      return { cookies: [forgetEnrollment(tenant)] };
    default:
      return {};
  }
}

/**
 * Returns the context of the link. The use of the ticket decides: of parallel requests with one ticket, one adds its
 * factor. After a crash, the same browser confirms the factor with another code.
 */
function contextOf(tenant: RequestTenant, { opened, enrollment: { factors } }: EnrollmentLink): EnrollmentContext {
  const { user, client, ticket, look } = opened;
  return {
    tenant,
    user,
    client,
    factors,
    first: mailboxOf(user, tenant.now()),
    boundTo: ticket.ticket_hash,
    uiLocales: look.uiLocales,
    async prepare({ id: factorId }) {
      const recovery = await firstRecoveryCode(tenant, opened, factors, factorId);
      // The ticket contains the recovery code before it is valid, so that a crash in between does not lose it.
      const recoveryCode = recovery && (await tenant.secrets.sealer.seal(recoveryCodePlace(tenant, opened), recovery.code));
      return (await useTicketFor(tenant, ticket, { factorId, recoveryCode })) ? recovery : "taken";
    },
  };
}

/** Returns the recovery code that the user gets with the factor. A request that crashed has stored it in the ticket. */
async function firstRecoveryCode(
  tenant: RequestTenant,
  opened: OpenedTicket,
  factors: readonly Factor[],
  factorId: string,
): Promise<HashedRecoveryCode | undefined> {
  if (opened.request.used_for === factorId) {
    const code = await sealedRecoveryCode(tenant, opened);
    return code === undefined ? undefined : { code, hash: await sha256(code) };
  }
  return getsRecoveryCode(multifactorSettings(tenant.record), factors) ? newRecoveryCode(tenant) : undefined;
}
