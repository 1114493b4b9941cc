import { factorChannelState, fixedPhoneChannelState } from "../messages/phone-channels.ts";
import { chooseFactor, type ChosenFactor, type FactorChoice } from "../identity/factors/choose-factor.ts";
import { toFactorGuess } from "../identity/factors/factor-guess.ts";
import { maskAddress } from "../identity/factors/mask-address.ts";
import { findNextRecoveryCode } from "../identity/factors/recovery-code.ts";
import { verifyFactor } from "../identity/factors/verify-factor.ts";
import { verifyKey } from "../identity/factors/verify-key.ts";
import { addFactor } from "../identity/sessions/session.ts";
import { confirmPassword } from "../identity/users/passwords.ts";
import { authenticationOptions } from "../identity/webauthn/authentication.ts";
import { redirectResponse } from "../http/html.ts";
import { lockedState } from "../login/locked-factor.ts";
import { formOf } from "../login/pass-factor.ts";
import { keyAuthentication } from "../login/key-authentication.ts";
import { destinationState } from "../login/steps/factor/destinations.ts";
import { drawFactor } from "../login/steps/factor/page.tsx";
import { parseKeyResponse } from "../login/steps/webauthn/key-response.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import { BackToSecurity } from "./pages/back.tsx";
import { recoveryCodePage } from "./recovery-code-page.ts";
import { problemNamed, securityPage, securityUrl, type SecurityState, type SecurityView } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import { sendSessionCode } from "./send-code.ts";
import type { AccountVisit } from "./visit.ts";

/** A change of factors for which the user must pass one of these factors first. */
export interface Proof {
  readonly visit: AccountVisit;
  readonly types: readonly FactorType[];
  readonly view: SecurityView;
}

/** Seconds until the page offers another code. */
const resendDelay = 30;

/** Returns the page that asks for a factor before a change. Viewing the page sends no code. */
export async function provePage(
  { visit, types, view }: Proof,
  { use, destination, sent, channel: sentBy, problem }: SecurityState,
): Promise<Response> {
  const { tenant } = visit;
  const chosen = chosenFactor(visit, types, { factor: use, destination });
  const { type, target } = chosen;
  const channels = factorChannelState(tenant, chosen, sentBy);
  const found = problemNamed(problem);
  const locked = await lockedState(tenant, visit.user.user_id, type);
  const authentication = await authenticationOf(visit, type);
  const publicKey = authentication && (await authenticationOptions(tenant, authentication, chosen.candidates));
  return securityPage(visit, view, {
    name: "factor",
    hidden: {
      current_factor: type,
      ...(target && { current_destination: target.id }),
      ...(type === "phone" && sent !== undefined && channels.channel && { current_channel: channels.channel }),
    },
    draw: (drawing) => ({
      problem: found !== undefined,
      ...drawFactor(
        { ...drawing, problem: found },
        {
          name: "factor",
          factor: type,
          others: [...chosen.others],
          ...destinationState(tenant, chosen),
          ...(publicKey && { publicKey }),
          ...(target && { sentTo: maskAddress(target.address) }),
          ...channels,
          ...locked,
          ...(target && sent !== undefined && { sent: true, resendIn: resendDelay }),
        },
        { exit: <BackToSecurity t={drawing.t} href={securityUrl(tenant)} /> },
      ),
    }),
  });
}

/** The actions of the page. */
export const proofActions: readonly string[] = ["enter-factor-code", "use-key", "choose-factor", "send-factor-code"];

/** Handles a form of the page. A right code or key counts in the session, and the browser returns to the change. */
export async function submitProof({ visit, types, view }: Proof, form: SecurityForm): Promise<Response> {
  const { tenant } = visit;
  const chosen = chosenFactor(visit, types, form.action === "choose-factor" ? form : form.current);
  const { type } = chosen;
  const toPage = (state: SecurityState): Response => redirectResponse(securityUrl(tenant, { ...view, ...useOf(chosen), ...state }));
  switch (form.action) {
    case "use-key": {
      const authentication = await authenticationOf(visit, type);
      if (authentication === undefined) return toPage({ problem: "key-rejected" });
      const response = parseKeyResponse(form.response);
      const verdict = await verifyKey(tenant, { user: visit.user, client: undefined, type, authentication, response });
      if (verdict !== "right") return toPage({ problem: verdict === "wrong" ? "key-rejected" : "too-many-attempts" });
      return passed(visit, type, view);
    }
    case "enter-factor-code":
      return enterCode({ visit, view }, chosen, form);
    case "choose-factor":
      return toPage(await sendCode(visit, chosen, { form: form.rendering }));
    default:
      return toPage(
        await sendCode(visit, chosen, { form: form.rendering, channel: form.channel ?? form.currentChannel, last: form.currentChannel }),
      );
  }
}

async function enterCode(
  { visit, view }: Pick<Proof, "visit" | "view">,
  chosen: ChosenFactor,
  { code, currentChannel: channel, rendering }: SecurityForm,
): Promise<Response> {
  const { tenant, user, session } = visit;
  const toPage = (state: SecurityState): Response =>
    redirectResponse(securityUrl(tenant, { ...view, ...useOf(chosen), channel, ...state }));
  if (code.trim() === "") return toPage({ problem: "code-missing" });
  const guess = toFactorGuess(chosen, { purpose: "factor", clientId: "", loginId: session.id });
  const form = await formOf(visit, { rendering, code });
  const place = { id: session.id, isRepeatable: true };
  const verdict = guess && (await verifyFactor(tenant, { user, client: undefined, code, factor: guess, place, form }));
  if (verdict === undefined || verdict.kind === "wrong") return toPage({ sent: "1", problem: "wrong-code" });
  if (verdict.kind === "throttled") return toPage({ sent: "1", problem: "too-many-attempts" });
  return passed(visit, chosen.type, view, verdict.nextRecoveryCode);
}

/**
 * Repeats the response to a form with a recovery code that was used in this session a moment ago, because the page with the
 * next code may be lost. Undefined for other forms.
 */
export async function repeatRecovery(visit: AccountVisit, { view, action, current, code }: SecurityForm): Promise<Response | undefined> {
  if (action !== "enter-factor-code" || current.factor !== "recovery-code") return undefined;
  const next = await findNextRecoveryCode(visit.tenant, visit.user, code, visit.session.id);
  return next === undefined ? undefined : recoveryCodePage(visit, view, { code: next, isReplacement: true });
}

/** Records the factor in the session. Shows the recovery code that replaces a used one. */
async function passed(visit: AccountVisit, type: FactorType, view: SecurityView, nextCode?: string): Promise<Response> {
  const { tenant, user, session } = visit;
  await addFactor(tenant, session, { type, at: tenant.now() });
  await confirmPassword(tenant, { user, accountId: session.account_id }, visit.situation.first);
  return nextCode === undefined
    ? redirectResponse(securityUrl(tenant, view))
    : recoveryCodePage(visit, view, { code: nextCode, isReplacement: true });
}

/** Options of {@link sendCode}. */
interface CodeOptions {
  readonly form: string | undefined;
  /** The channel for a code to a phone. Default: the user's preferred channel. */
  readonly channel?: string | undefined;
  /** The channel of the last code, which stays valid if no new code can be sent. */
  readonly last?: string | undefined;
}

/** Sends a code, if the factor uses codes that are sent. @returns the parameters for the URL of the page. */
async function sendCode(
  visit: AccountVisit,
  { type, target: preferred }: ChosenFactor,
  { form, channel, last }: CodeOptions,
): Promise<SecurityState> {
  if (preferred === undefined) return {};
  const target = { ...preferred, ...(type === "phone" && channel !== undefined && { channel }) };
  const state = await sendSessionCode(visit, { target, purpose: "factor", form });
  if (type !== "phone") return state;
  if (state.problem === undefined) return { ...state, ...fixedPhoneChannelState(visit.tenant, target.channel) };
  return { ...state, ...(last !== undefined && { sent: "1", channel: last }) };
}

function chosenFactor(
  { user, factors, situation: { first } }: AccountVisit,
  types: readonly FactorType[],
  choice: FactorChoice,
): ChosenFactor {
  const chosen = chooseFactor({ types, user, factors, first }, choice);
  if (chosen === undefined) throw new Error("a challenge lists at least one factor");
  return chosen;
}

/** Returns the parameters of the page's URL that name the factor. */
function useOf({ type, target }: ChosenFactor): SecurityState {
  return { use: type, destination: target?.id };
}

function authenticationOf({ tenant, user, session, factors }: AccountVisit, type: FactorType) {
  return keyAuthentication(tenant, { type, user, factors, boundTo: session.id });
}
