import { maskAddress } from "../../identity/factors/mask-address.ts";
import { areFactorsFrozen } from "../../identity/factors/frozen-factors.ts";
import { openTotpSecret } from "../../identity/factors/totp.ts";
import { registrationOptions, type Registration } from "../../identity/webauthn/registration.ts";
import { verificationOf } from "../../login/key-verification.ts";
import { lockedState } from "../../login/locked-factor.ts";
import { pageResponse } from "../../login/page.ts";
import { accountLabel, authenticatorUri, maskedAccount, newFactorTarget } from "../../login/steps/add-factor/new-factor.ts";
import { drawAddFactor } from "../../login/steps/add-factor/page.tsx";
import { addFactorProblem } from "../../login/steps/add-factor/shown-correction.ts";
import type { AddFactorScreen } from "../../login/steps/add-factor/step.ts";
import { fixedPhoneChannelState, phoneChannelState } from "../../messages/phone-channels.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { OpenEnrollment } from "./enrollment-state.ts";
import type { OpenedTicket } from "./open-ticket.ts";
import type { LinkFactorView } from "./reset-factor.ts";

/** An opened link with which the user can add a factor. */
export interface EnrollmentLink {
  readonly ticketText: string;
  readonly opened: OpenedTicket;
  readonly enrollment: OpenEnrollment;
}

/** Returns the page on which the user chooses and confirms the new factor. It contains the key of an app only in the browser that adds it. */
export async function enrollmentPage(
  tenant: RequestTenant,
  link: EnrollmentLink,
  { factor, sent, ...reported }: LinkFactorView & { readonly correction?: string | undefined },
): Promise<Response> {
  const { ticketText, opened, enrollment } = link;
  const isFrozen = areFactorsFrozen(tenant, opened.user);
  const chosen = isFrozen ? { options: [], frozen: true as const } : await chosenPart(tenant, link, { factor, sent });
  const problem = await addFactorProblem(tenant, opened.ticket.ticket_hash, reported);
  return pageResponse(tenant, {
    ...opened.look,
    name: "add-factor",
    draw: (drawing) => ({
      problem: problem !== undefined,
      ...drawAddFactor(
        { ...drawing, problem },
        { name: "add-factor", options: [...enrollment.options], ...chosen },
        {
          lead: drawing.t.text("securityAddLead"),
          about: { account: maskedAccount(opened.user), about: drawing.t.text("linkEnrollFor") },
          exit: null,
        },
      ),
    }),
    action: tenant.urls.urlFor("/guardian/enroll"),
    hidden: { ticket: ticketText, rendering: tenant.random.token(9) },
  });
}

async function chosenPart(
  tenant: RequestTenant,
  link: EnrollmentLink,
  { factor: chosen, sent }: LinkFactorView,
): Promise<Omit<AddFactorScreen, "name" | "options">> {
  const { opened, enrollment } = link;
  const { factor, options } = enrollment;
  if (factor?.type === "totp") {
    const secret = await openTotpSecret(tenant, factor);
    return {
      factor: "totp",
      ...(await lockedState(tenant, opened.user.user_id, "totp")),
      totp: { secret, uri: authenticatorUri(tenant, opened.user, secret) },
    };
  }
  const target = factor && newFactorTarget(factor);
  if (target !== undefined) {
    const { otp_expiration_time: validFor } = multifactorSettings(tenant.record).phone.codes;
    return {
      factor: "phone",
      ...phoneChannelState(tenant, target.channel),
      sentTo: maskAddress(target.address),
      ...(await lockedState(tenant, opened.user.user_id, "phone")),
      ...(sent !== undefined && { sent: true, resendIn: 0, validFor }),
    };
  }
  const channel = fixedPhoneChannelState(tenant, undefined);
  if (chosen === "phone" && options.includes("phone")) return { factor: "phone", ...channel };
  const registration = chosen === "webauthn-roaming" ? await registrationFor(tenant, link) : undefined;
  if (registration === undefined) return channel;
  const name = accountLabel(opened.user);
  const publicKey = await registrationOptions(tenant, registration, { name, displayName: opened.user.name || name });
  return { factor: "webauthn-roaming", publicKey };
}

/** Returns the registration that the user may do now. Undefined if they may not add a security key on this host. */
export async function registrationFor(
  tenant: RequestTenant,
  { opened, enrollment: { options, factors } }: EnrollmentLink,
): Promise<Registration | undefined> {
  const type = "webauthn-roaming";
  const relyingParty = options.includes(type) ? await tenant.relyingParty() : undefined;
  if (relyingParty === undefined) return undefined;
  return {
    relyingParty,
    boundTo: opened.ticket.ticket_hash,
    userId: opened.user.user_id,
    factors,
    type,
    ...verificationOf(tenant, type),
  };
}
