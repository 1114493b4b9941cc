import type { ChosenFactor, FactorChoice } from "../../identity/factors/choose-factor.ts";
import { fixedPhoneChannelState } from "../../messages/phone-channels.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import type { Drawing } from "../components/drawing.ts";
import type { PageContent } from "../page.ts";
import { formOf } from "./form-of.ts";
import type { Problem } from "../step.ts";
import { drawFactor, type FactorPlace } from "./challenge-page.tsx";
import { challengeScreen } from "./challenge-screen.ts";
import { challengedFactor, enterCode, useKey, type FactorResult } from "./challenge.ts";
import type { FactorContext } from "./context.ts";
import { resendDelay, sendCode } from "./send-code.ts";

/** The parameters in the URL of a page outside of a login that requests a factor. */
export interface ChallengeView {
  /** The factor that the user chose. */
  readonly factor?: string | undefined;
  /** The phone or email address that the user chose for the code. */
  readonly destination?: string | undefined;
  /** Present if a code was sent. */
  readonly sent?: string | undefined;
  /** How the last code was sent to the phone. */
  readonly channel?: string | undefined;
  readonly problem?: string | undefined;
}

/** The parts of the page that differ. */
interface ChallengePlace extends FactorPlace {
  /** The problem that the URL names. */
  readonly problem: Problem | undefined;
}

/** Returns the page that requests one of these factors. Viewing it sends no code. */
export async function challengePage(
  context: FactorContext,
  types: readonly FactorType[],
  { factor, destination, sent, channel }: ChallengeView,
  placeOf: (drawing: Drawing) => ChallengePlace,
): Promise<Pick<PageContent, "name" | "draw" | "hidden">> {
  const chosen = challengedFactor(context, types, { factor, destination });
  const screen = await challengeScreen(context, chosen, { channel, ...(sent !== undefined && { resendIn: resendDelay }) });
  return {
    name: "factor",
    hidden: {
      current_factor: chosen.type,
      ...(chosen.target && { current_destination: chosen.target.id }),
      ...(chosen.type === "phone" && screen.sent === true && screen.channel && { current_channel: screen.channel }),
    },
    draw(drawing) {
      const { problem, ...place } = placeOf(drawing);
      return { problem: problem !== undefined, ...drawFactor({ ...drawing, problem }, screen, place) };
    },
  };
}

/** The actions of the page. */
export const challengeActions: readonly string[] = ["enter-factor-code", "use-key", "choose-factor", "send-factor-code"];

/** A submitted form of the page. */
export interface ChallengeForm {
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

/** The result of a form: the factor was passed, or the page is shown again. */
export type ChallengeOutcome =
  | ({ readonly type: FactorType } & Extract<FactorResult, { readonly kind: "passed" }>)
  | { readonly kind: "page"; readonly view: ChallengeView };

/** Handles a form of the page. A form with another action changes nothing. */
export async function submitChallenge(
  context: FactorContext,
  types: readonly FactorType[],
  form: ChallengeForm,
): Promise<ChallengeOutcome> {
  const { action, code, response, currentChannel, rendering } = form;
  const chosen = challengedFactor(context, types, action === "choose-factor" ? form.choice : form.current);
  const { type, target } = chosen;
  const page = (view: ChallengeView): ChallengeOutcome => ({ kind: "page", view: { factor: type, destination: target?.id, ...view } });
  // An earlier code stays valid after a wrong one, and if no other one can be sent.
  const last = currentChannel === undefined ? {} : { sent: "1", channel: currentChannel };
  const finish = (result: FactorResult, view: ChallengeView): ChallengeOutcome =>
    result.kind === "passed" ? { ...result, type } : page({ ...view, ...(result.kind === "rejected" && { problem: result.problem }) });
  switch (action) {
    case "choose-factor":
      return page(await requestCode(context, chosen, { form: rendering }));
    case "send-factor-code":
      return page({ ...last, ...(await requestCode(context, chosen, { form: rendering, channel: form.channel ?? currentChannel })) });
    case "use-key":
      return finish(await useKey(context, type, response), {});
    case "enter-factor-code": {
      const submitted = { code, form: await formOf(context, { rendering, code }), isRepeatable: true };
      return finish(await enterCode(context, "factor", chosen, submitted), { sent: "1", ...last });
    }
    default:
      return page({});
  }
}

/** Options of {@link requestCode}. */
interface RequestedCode {
  readonly form: string | undefined;
  /** How to send the code to a phone. Default: as the user prefers. */
  readonly channel?: string | undefined;
}

/** Sends a code, if the factor uses codes that are sent. */
async function requestCode(
  context: FactorContext,
  { type, target: preferred }: ChosenFactor,
  { form, channel }: RequestedCode,
): Promise<ChallengeView> {
  if (preferred === undefined) return {};
  const target = { ...preferred, ...(type === "phone" && channel !== undefined && { channel }) };
  const refusal = await sendCode(context, target, { purpose: "factor", form });
  if (refusal !== undefined) return { problem: refusal.problem };
  return { sent: "1", ...(type === "phone" && fixedPhoneChannelState(context.tenant, target.channel)) };
}
