import { factorChannelState, fixedPhoneChannelState } from "../../messages/phone-channels.ts";
import { equalInConstantTime } from "../../adapters/digest.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { chooseFactor, type ChosenFactor, type FactorChoice } from "../../identity/factors/choose-factor.ts";
import { toFactorGuess } from "../../identity/factors/factor-guess.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import { verifyFactor } from "../../identity/factors/verify-factor.ts";
import { verifyKey } from "../../identity/factors/verify-key.ts";
import { authenticationOptions, type Authentication } from "../../identity/webauthn/authentication.ts";
import { keyAuthentication } from "../../login/key-authentication.ts";
import { linkFactorCookie } from "../../login/cookies.ts";
import { lockedState } from "../../login/locked-factor.ts";
import { primaryOf } from "../../authorization/step-up/mailed-link.ts";
import { checkMailedLink, mailboxOf, requireUsable } from "../../authorization/step-up/mailed-link.ts";
import { decideResetFactor } from "../../authorization/step-up/reset.ts";
import type { MissingFactor } from "../../login/missing-factor.ts";
import { pageResponse } from "../../login/page.ts";
import { formOf } from "../../login/pass-factor.ts";
import { destinationState } from "../../login/steps/factor/destinations.ts";
import { maskedAccount } from "../../login/steps/add-factor/new-factor.ts";
import { drawFactor } from "../../login/steps/factor/page.tsx";
import { factorStep } from "../../login/steps/factor/step.ts";
import { drawRecoveryCode } from "../../login/steps/recovery-code/page.tsx";
import { parseKeyResponse } from "../../login/steps/webauthn/key-response.ts";
import { trySendFactorCode } from "../../messages/send-factor-code.ts";
import { factorTypeSchema, type FactorType } from "../../model/factors/factor-types.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import type { RequestOptions } from "../../model/factors/webauthn.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { OpenedTicket } from "./open-ticket.ts";

/** How long a user can continue on the page of a link after they passed a factor, in seconds. */
const passedLifetime = 10 * 60;

/** A page that a link opens, on which a user with a factor must pass it first. */
export interface LinkFactorPage {
  readonly path: `/${string}`;
  /** The text that says what the factor is for. The account follows it. */
  readonly about: "newPasswordFor" | "linkEnrollFor";
  /** Whether the page leads to the page on which users request a link for another account. */
  readonly offersOtherAccount: boolean;
}

/** The actions of the pages for a factor. If their forms are sent after the factor was passed, nothing changes. */
export const linkFactorActions: readonly string[] = [
  "enter-factor-code",
  "use-key",
  "choose-factor",
  "send-factor-code",
  "other-account",
  "recovery-code-stored",
];

/** The parameters in the URL of the page. */
export interface LinkFactorView {
  /** The factor that the user chose. */
  readonly factor?: string | undefined;
  /** The phone that the user chose for the code. */
  readonly destination?: string | undefined;
  /** Present if a code was sent. */
  readonly sent?: string | undefined;
  /** How the last code was sent to the phone. */
  readonly channel?: string | undefined;
  readonly problem?: string | undefined;
}

/**
 * Returns the factor that the user must pass before they continue on the page of a link. The mailbox that received the
 * link is no factor. Undefined if the user has no factor, or passed the required ones in this browser for this link.
 * @throws {PosternError} `access_denied` if this server cannot use any of the user's factors now, and the errors of
 * {@link decideResetFactor}.
 */
export async function factorForLink(
  tenant: RequestTenant,
  { ticket, request: { proves_email: provesEmail }, user: account, client }: OpenedTicket,
  request: Request,
): Promise<MissingFactor | undefined> {
  const isReset = ticket.purpose === "reset-password";
  const user = await primaryOf(tenant, account);
  const passed = await passedFor(tenant, ticket.ticket_hash, request);
  const types = passed.map(({ type }) => type);
  const first = mailboxOf(account, tenant.now());
  const { decision, factors } = isReset
    ? await decideResetFactor(tenant, { client, account, user, provedAt: tenant.now(), passed, provesEmail })
    : requireUsable(await checkMailedLink(tenant, user, { first, passed: types, isFor: "change" }));
  return decision.kind === "challenge" ? { user, first, factors, decision } : undefined;
}

/** Whether the user passed a factor in this browser for this link. */
export async function passedFactorForLink(tenant: RequestTenant, { ticket }: OpenedTicket, request: Request): Promise<boolean> {
  return (await passedFor(tenant, ticket.ticket_hash, request)).length > 0;
}

/** Returns the page that asks for the factor. Viewing the page sends no code. */
export async function linkFactorPage(
  tenant: RequestTenant,
  link: LinkWithFactor,
  { factor, destination, sent, channel: sentBy, problem = "" }: LinkFactorView,
): Promise<Response> {
  const { page, ticketText, opened, missing } = link;
  const chosen = chosenFactor(missing, { factor, destination });
  const { type, target } = chosen;
  const channels = factorChannelState(tenant, chosen, sentBy);
  const problems = new Map(Object.entries(factorStep.problems));
  const [key, locked] = await Promise.all([keyRequestOf(tenant, link, chosen), lockedState(tenant, missing.user.user_id, type)]);
  return pageResponse(tenant, {
    ...opened.look,
    name: "factor",
    draw: (drawing) => ({
      problem: problems.has(problem),
      ...drawFactor(
        { ...drawing, problem: problems.get(problem) },
        {
          name: "factor",
          factor: type,
          others: [...chosen.others],
          ...destinationState(tenant, chosen),
          ...key,
          ...channels,
          ...locked,
          ...(target && { sentTo: maskAddress(target.address), ...(sent !== undefined && { sent: true, resendIn: 0 }) }),
        },
        {
          about: { account: maskedAccount(opened.user), about: drawing.t.text(page.about) },
          ...(!page.offersOtherAccount && { exit: null }),
        },
      ),
    }),
    action: tenant.urls.urlFor(page.path),
    hidden: {
      ticket: ticketText,
      current_factor: type,
      ...(target && { current_destination: target.id }),
      rendering: tenant.random.token(9),
      ...(type === "phone" && sent !== undefined && channels.channel && { current_channel: channels.channel }),
    },
  });
}

/** A link for which the user must pass a factor. */
interface LinkWithFactor {
  readonly page: LinkFactorPage;
  readonly ticketText: string;
  readonly opened: OpenedTicket;
  readonly missing: MissingFactor;
  readonly request: Request;
}

/** A submitted form of the page. */
interface FactorForm {
  readonly action: string;
  readonly code: string;
  /** The response of a passkey or security key, as JSON. */
  readonly response: string;
  /** The factor to use instead of the current one. */
  readonly choice: FactorChoice;
  /** The factor of the page with the form. */
  readonly current: FactorChoice;
  /** How to send a code to the phone. */
  readonly channel?: MessageType | undefined;
  /** How the last code was sent to the phone, according to the page. */
  readonly currentChannel?: string | undefined;
  /** The id of the rendering that the form comes from. */
  readonly rendering: string | undefined;
}

/** Returns what a submitted form says about the factor. */
export function linkFactorChoice(body: {
  readonly factor?: string;
  readonly destination?: string;
  readonly current_factor?: string;
  readonly current_destination?: string;
}): Pick<FactorForm, "choice" | "current"> {
  const { factor, destination, current_factor: current, current_destination: to } = body;
  return { choice: { factor, destination }, current: { factor: current, destination: to } };
}

/** Handles a form of the page that asks for the factor. A form of another page changes nothing. */
export async function submitLinkFactor(tenant: RequestTenant, link: LinkWithFactor, form: FactorForm): Promise<Response> {
  const { page, ticketText: ticket, opened, missing } = link;
  const { path } = page;
  const chosen = chosenFactor(missing, form.action === "choose-factor" ? form.choice : form.current);
  const { type, target } = chosen;
  const owner = { user: missing.user, client: opened.client };
  const toPage = (parameters: { readonly [name: string]: string }, cookies: readonly string[] = []): Response =>
    redirectResponse(`${tenant.urls.urlFor(path)}?${new URLSearchParams({ ticket, ...parameters })}`, cookies);
  const toFactor = (parameters: { readonly [name: string]: string }): Response =>
    toPage({ factor: type, ...(target && { destination: target.id }), ...parameters });
  // An earlier code stays valid after a wrong one, and if no other one can be sent.
  const last = form.currentChannel === undefined ? {} : { sent: "1", channel: form.currentChannel };
  switch (form.action) {
    case "other-account":
      return redirectResponse(forgotPasswordPage(tenant, opened.client, { uiLocales: opened.look.uiLocales }));
    case "choose-factor":
      return toFactor(await sendCode(tenant, link, chosen));
    case "send-factor-code":
      return toFactor({ ...last, ...(await sendCode(tenant, link, chosen, form.channel ?? form.currentChannel)) });
    case "use-key": {
      const authentication = await authenticationOf(tenant, link, type);
      if (authentication === undefined || form.response === "") return toFactor({ problem: "key-rejected" });
      const verdict = await verifyKey(tenant, { ...owner, type, authentication, response: parseKeyResponse(form.response) });
      const problem = verdict === "right" ? undefined : verdict === "throttled" ? "too-many-attempts" : "key-rejected";
      return problem === undefined ? toPage({}, await recordPassed(tenant, link, type)) : toFactor({ problem });
    }
    case "enter-factor-code":
      break;
    default:
      return toPage({});
  }
  if (form.code.trim() === "") return toFactor({ ...last, problem: "code-missing" });
  const place = { purpose: "factor", clientId: opened.client?.record.client_id ?? "", loginId: opened.ticket.ticket_hash } as const;
  const guess = toFactorGuess(chosen, place);
  const fingerprint = await formOf({ tenant }, form);
  const recoveryPlace = { id: place.loginId, isRepeatable: true };
  const attempt = { ...owner, code: form.code, place: recoveryPlace, form: fingerprint };
  const verdict = guess && (await verifyFactor(tenant, { ...attempt, factor: guess }));
  if (verdict === undefined || verdict.kind === "wrong") return toFactor({ sent: "1", ...last, problem: "wrong-code" });
  if (verdict.kind === "throttled") return toFactor({ sent: "1", ...last, problem: "too-many-attempts" });
  const cookies = await recordPassed(tenant, link, type);
  const { nextRecoveryCode: code } = verdict;
  if (code === undefined) return toPage({}, cookies);
  return pageResponse(tenant, {
    ...opened.look,
    name: "recovery-code",
    draw: (drawing) => drawRecoveryCode({ ...drawing, problem: undefined }, { name: "recovery-code", code, isReplacement: true }),
    action: tenant.urls.urlFor(path),
    hidden: { ticket },
    cookies,
  });
}

/** Returns the cookies with which this browser can continue after a factor was passed. */
async function recordPassed(tenant: RequestTenant, { opened, request }: LinkWithFactor, type: FactorType): Promise<string[]> {
  const { ticket_hash: hash } = opened.ticket;
  const passed = [...(await passedFor(tenant, hash, request)), { type, at: tenant.now() }];
  return [await markPassed(tenant, hash, passed)];
}

/** Returns the options with which the browser requests a response of a passkey or security key, if the factor is one. */
async function keyRequestOf(
  tenant: RequestTenant,
  link: LinkWithFactor,
  { type, candidates }: ChosenFactor,
): Promise<{ readonly publicKey?: RequestOptions }> {
  const authentication = await authenticationOf(tenant, link, type);
  if (authentication === undefined) return {};
  return { publicKey: await authenticationOptions(tenant, authentication, candidates) };
}

function authenticationOf(
  tenant: RequestTenant,
  { opened, missing: { user, factors } }: LinkWithFactor,
  type: FactorType,
): Promise<Authentication | undefined> {
  return keyAuthentication(tenant, { type, user, factors, boundTo: opened.ticket.ticket_hash });
}

/**
 * Sends a code, if the factor uses codes that are sent.
 * @param channel how to send it to a phone. Default: as the user prefers.
 * @returns the parameters for the URL of the page.
 */
async function sendCode(
  tenant: RequestTenant,
  { opened, missing }: LinkWithFactor,
  { target: preferred }: ChosenFactor,
  channel?: string,
): Promise<{ readonly [name: string]: string }> {
  if (preferred === undefined) return {};
  const target = { ...preferred, ...(channel !== undefined && { channel }) };
  const place = { purpose: "factor", loginId: opened.ticket.ticket_hash } as const;
  const { client, look } = opened;
  const refusal = await trySendFactorCode(tenant, { client, user: missing.user, target, place, uiLocales: look.uiLocales });
  if (refusal !== undefined) return { problem: refusal.problem };
  return { sent: "1", ...fixedPhoneChannelState(tenant, target.channel) };
}

function chosenFactor(missing: MissingFactor, choice: FactorChoice): ChosenFactor {
  const chosen = chooseFactor({ ...missing, types: missing.decision.types }, choice);
  if (chosen === undefined) throw new Error("a challenge lists at least one factor");
  return chosen;
}

/**
 * Returns the `Set-Cookie` value that lets this browser continue with the link. It contains the factors and their times,
 * and is keyed with the host application's secret, so the holder of the link cannot forge it.
 */
async function markPassed(tenant: RequestTenant, ticketHash: string, passed: readonly PassedFactor[]): Promise<string> {
  const text = passed.map(({ type, at }) => `${type}_${at}`).join("~");
  const value = `${text}.${await proofOf(tenant, ticketHash, text)}`;
  return setCookie(tenant.urls, linkFactorCookie(tenant), value, { maxAge: passedLifetime, sameSite: "Lax" });
}

/** Returns the factors that the user passed in this browser for this link, within {@link passedLifetime}. */
async function passedFor(tenant: RequestTenant, ticketHash: string, request: Request): Promise<readonly PassedFactor[]> {
  const [text = "", proof = ""] = (readCookie(request, tenant.urls, linkFactorCookie(tenant)) ?? "").split(".");
  if (text === "" || !equalInConstantTime(proof, await proofOf(tenant, ticketHash, text))) return [];
  const earliest = tenant.now() - passedLifetime * 1000;
  return text.split("~").flatMap((one) => {
    const [named, at] = one.split("_");
    const type = factorTypeSchema.safeParse(named);
    return type.success && Number(at) >= earliest ? [{ type: type.data, at: Number(at) }] : [];
  });
}

function proofOf(tenant: RequestTenant, ticketHash: string, passed: string): Promise<string> {
  return tenant.secrets.fingerprints.of("password link factor", tenant.id, ticketHash, passed);
}
