import { redirectResponse } from "../../http/html.ts";
import { sha256 } from "../../adapters/digest.ts";
import { enrollKey } from "../../identity/factors/add-key.ts";
import type { CodeTarget } from "../../identity/factors/factor-code.ts";
import { confirmOwnFactor } from "../../identity/factors/confirm-own-factor.ts";
import { enrollFactor } from "../../identity/factors/enroll-factor.ts";
import { hasIndependentFactor } from "../../identity/factors/factor-policy.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { areFactorsFrozen } from "../../identity/factors/frozen-factors.ts";
import { newRecoveryCode } from "../../identity/factors/recovery-code.ts";
import { newTotpSecret } from "../../identity/factors/totp.ts";
import { verifyFactor, type FactorGuess } from "../../identity/factors/verify-factor.ts";
import { releaseTicket, useTicketFor } from "../../identity/tickets/ticket.ts";
import { formOf } from "../../login/pass-factor.ts";
import { newFactorTarget, setPhoneChannel } from "../../login/steps/add-factor/new-factor.ts";
import { rejectedPhone } from "../../login/steps/add-factor/shown-correction.ts";
import { parseKeyResponse } from "../../login/steps/webauthn/key-response.ts";
import { trySendFactorCode } from "../../messages/send-factor-code.ts";
import { multifactorSettings, type MessageType } from "../../model/factors/multifactor.ts";
import { readPhoneNumber } from "../../model/phone-number.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { enrollmentLink } from "../../tenants/ticket-links.ts";
import { registrationFor, type EnrollmentLink } from "./enrollment-page.ts";
import { forgetEnrollment, recoveryCodePlace, rememberEnrollment, sealedRecoveryCode } from "./enrollment-state.ts";

/** A submitted form of the page that adds a factor. */
interface EnrollmentForm {
  readonly action: string;
  readonly code: string;
  readonly phone: string;
  /** The channel for a code to the phone. */
  readonly channel: MessageType | undefined;
  /** The response of a security key, as JSON. */
  readonly response: string;
  readonly factor: string | undefined;
  /** The id of the rendering that the form comes from. */
  readonly rendering: string | undefined;
}

/** The parameters in the URL of the page after a form, and the cookies. */
interface Outcome {
  readonly view?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
}

/** Handles a form of the page that adds a factor. A form that does not fit the current state changes nothing. */
export async function submitNewFactor(tenant: RequestTenant, link: EnrollmentLink, form: EnrollmentForm): Promise<Response> {
  const { view = {}, cookies = [] } = await handle(tenant, link, form);
  const url = enrollmentLink(tenant, link.ticketText);
  return redirectResponse(Object.keys(view).length === 0 ? url : `${url}&${new URLSearchParams(view)}`, cookies);
}

async function handle(tenant: RequestTenant, link: EnrollmentLink, form: EnrollmentForm): Promise<Outcome> {
  const { options, factor } = link.enrollment;
  // The ticket stays valid, so that the user can add the factor later.
  if (areFactorsFrozen(tenant, link.opened.user)) return {};
  switch (form.action) {
    case "choose-new-factor": {
      const type = options.find((one) => one === form.factor);
      if (type === "totp") return startApp(tenant, link);
      return type === undefined ? {} : { view: { factor: type }, cookies: [forgetEnrollment(tenant)] };
    }
    case "enter-phone":
      return options.includes("phone") ? startPhone(tenant, link, form.phone) : {};
    case "send-new-factor-code": {
      const target = factor && newFactorTarget(factor, form.channel);
      if (factor === undefined || target === undefined) return {};
      const view = await sendCode(tenant, link, target);
      if (form.channel !== undefined && view["problem"] === undefined) await setPhoneChannel(tenant, factor, form.channel);
      return { view };
    }
    case "confirm-new-factor":
      return factor === undefined ? {} : confirm(tenant, link, factor, form);
    case "confirm-key":
      return confirmKey(tenant, link, form.response);
    case "other-new-factor":
      return { cookies: [forgetEnrollment(tenant)] };
    default:
      return {};
  }
}

async function startApp(tenant: RequestTenant, { opened }: EnrollmentLink): Promise<Outcome> {
  const { id } = await enrollFactor(tenant, opened, { type: "totp", totpSecret: newTotpSecret(tenant.random) });
  return { cookies: [await rememberEnrollment(tenant, opened, id)] };
}

async function startPhone(tenant: RequestTenant, link: EnrollmentLink, typed: string): Promise<Outcome> {
  const read = await readPhoneNumber(typed);
  if ("fault" in read)
    return { view: { factor: "phone", ...(await rejectedPhone(tenant, link.opened.ticket.ticket_hash, read.correction)) } };
  const { number: address } = read;
  const { id } = await enrollFactor(tenant, link.opened, { type: "phone", address, channel: "sms" });
  const view = await sendCode(tenant, link, { id, type: "phone", address });
  return { view, cookies: [await rememberEnrollment(tenant, link.opened, id)] };
}

async function sendCode(tenant: RequestTenant, { opened }: EnrollmentLink, target: CodeTarget): Promise<{ [name: string]: string }> {
  const { user, look, client, ticket } = opened;
  const place = placeOf(ticket.ticket_hash);
  const refusal = await trySendFactorCode(tenant, { client, user, target, place, uiLocales: look.uiLocales });
  return refusal === undefined ? { sent: "1" } : { problem: refusal.problem };
}

const placeOf = (ticketHash: string) => ({ purpose: "add-factor", loginId: ticketHash }) as const;

async function confirm(
  tenant: RequestTenant,
  link: EnrollmentLink,
  factor: Factor,
  { code, rendering }: Pick<EnrollmentForm, "code" | "rendering">,
): Promise<Outcome> {
  const { user, client, ticket } = link.opened;
  if (code.trim() === "") return { view: { sent: "1", problem: "code-missing" } };
  const target = newFactorTarget(factor);
  const guessed: FactorGuess["factor"] =
    target === undefined
      ? { type: "totp", candidates: [factor] }
      : { type: target.type, target, place: { ...placeOf(ticket.ticket_hash), clientId: "" } };
  const form = await formOf({ tenant }, { rendering, code });
  const verdict = await verifyFactor(tenant, { user, client, code, factor: guessed, isNew: true, form });
  if (verdict.kind === "right") return complete(tenant, link, factor);
  return { view: { sent: "1", problem: verdict.kind === "throttled" ? "too-many-attempts" : "wrong-code" } };
}

/**
 * Confirms the factor that the user just used for the first time. The use of the ticket decides: of parallel requests
 * with one ticket, one adds its factor. After a crash, the same browser confirms the factor with another code. If the user
 * has got a first factor in another way, they must pass it, and the ticket stays valid.
 */
async function complete(tenant: RequestTenant, link: EnrollmentLink, factor: Factor): Promise<Outcome> {
  const { opened } = link;
  const recovery = await firstRecoveryCode(tenant, link, factor.id);
  const recoveryCode = recovery && (await tenant.secrets.sealer.seal(recoveryCodePlace(tenant, opened), recovery.code));
  if (!(await useTicketFor(tenant, opened.ticket, { factorId: factor.id, recoveryCode }))) return {};
  // The ticket contains the recovery code before it is valid, so that a crash in between does not lose it.
  const onlyIfFirst = !hasIndependentFactor(link.enrollment.factors.map((one) => one.type));
  const outcome = await confirmOwnFactor(tenant, opened, factor, { onlyIfFirst, codeHash: recovery?.hash });
  if (outcome === "already-enrolled") {
    await releaseTicket(tenant, opened.ticket, factor.id);
    return { view: { problem: "already-enrolled" }, cookies: [forgetEnrollment(tenant)] };
  }
  if (outcome === "unavailable") return {};
  return { cookies: [await rememberEnrollment(tenant, opened, factor.id)] };
}

/** Returns the recovery code of a user who had no factor before. Undefined if the tenant does not enable recovery codes. */
async function firstRecoveryCode(
  tenant: RequestTenant,
  { opened, enrollment: { factors } }: EnrollmentLink,
  factorId: string,
): Promise<{ readonly code: string; readonly hash: string } | undefined> {
  // A request that crashed has stored the code in the ticket.
  if (opened.request.used_for === factorId) {
    const code = await sealedRecoveryCode(tenant, opened);
    return code === undefined ? undefined : { code, hash: await sha256(code) };
  }
  const hasOne = factors.some(({ type }) => type === "recovery-code");
  return hasOne || !multifactorSettings(tenant.record).factors["recovery-code"] ? undefined : newRecoveryCode(tenant);
}

async function confirmKey(tenant: RequestTenant, link: EnrollmentLink, response: string): Promise<Outcome> {
  const rejected: Outcome = { view: { factor: "webauthn-roaming", problem: "key-rejected" } };
  const registration = await registrationFor(tenant, link);
  if (registration === undefined) return rejected;
  const { user, client } = link.opened;
  const factor = await enrollKey(tenant, { user, client, registration, response: parseKeyResponse(response) });
  return factor === undefined ? rejected : complete(tenant, link, factor);
}
