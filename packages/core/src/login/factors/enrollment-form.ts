import type { Factor } from "../../identity/factors/factors.ts";
import { webauthnTypes } from "../../identity/webauthn/credential.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import { formOf } from "./form-of.ts";
import { confirmNewFactor, confirmNewKey, type EnrollmentContext, type NewFactorResult } from "./confirm-new-factor.ts";
import { factorPages } from "./kinds.ts";
import { newFactorTarget, resendCode, startPhone } from "./new-factor.ts";
import { keyRegistration } from "./new-key.ts";
import { rejectedPhone } from "./shown-correction.ts";

/** A submitted form of a page outside of a login on which the user adds a factor. */
export interface EnrollmentForm {
  readonly action: string;
  /** The type that the user chose. */
  readonly factor: string | undefined;
  readonly phone: string;
  /** The channel for a code to the phone. */
  readonly channel: MessageType | undefined;
  readonly code: string;
  /** The response of a passkey or security key, as JSON. */
  readonly response: string;
  /** The id of the rendering that the form comes from. */
  readonly rendering: string | undefined;
}

/** The parameters in the URL of the page about the factor that the user adds. */
export interface EnrollmentView {
  /** Present if a code was sent. */
  readonly sent?: string;
  readonly problem?: string;
  /** The right spelling of a rejected phone number, see `shown-correction.ts`. */
  readonly correction?: string;
}

/** The result of a form. */
export type EnrollmentOutcome =
  /** The form does not fit the current state and changes nothing. */
  | { readonly kind: "unchanged" }
  /** The user wants to see the list of types. */
  | { readonly kind: "list" }
  /** The page requests the input of the type: a phone number or a key. */
  | { readonly kind: "chosen"; readonly type: FactorType; readonly view: EnrollmentView }
  /** The user must confirm the unconfirmed factor. */
  | { readonly kind: "pending"; readonly factor: Factor; readonly view: EnrollmentView }
  | Exclude<NewFactorResult, { readonly kind: "rejected" }>;

/** The factor that the user adds. */
interface Enrollment {
  /** The types that the user may add. */
  readonly options: readonly FactorType[];
  /** The type that the page is about, according to the page. */
  readonly chosen: string | undefined;
  /** The unconfirmed factor. Undefined if the user has added none, or if it has expired. */
  readonly factor: Factor | undefined;
}

/** Handles a form of the page. A form that does not fit the current state changes nothing. */
export async function submitEnrollment(
  context: EnrollmentContext,
  { options, chosen, factor }: Enrollment,
  form: EnrollmentForm,
): Promise<EnrollmentOutcome> {
  const { action, code, response, channel, rendering } = form;
  switch (action) {
    case "choose-new-factor":
      return chooseType(
        context,
        options.find((one) => one === form.factor),
      );
    case "enter-phone":
      return options.includes("phone") ? addPhone(context, form) : { kind: "unchanged" };
    case "send-new-factor-code": {
      const target = factor && newFactorTarget(factor);
      if (factor === undefined || target === undefined) return { kind: "unchanged" };
      const refusal = await resendCode(context, { factor, target }, { channel, form: rendering });
      return { kind: "pending", factor, view: refusal === undefined ? { sent: "1" } : { problem: refusal.problem } };
    }
    case "confirm-new-factor": {
      if (factor === undefined) return { kind: "unchanged" };
      const result = await confirmNewFactor(context, factor, { code, form: await formOf(context, { rendering, code }) });
      return result.kind === "rejected" ? { kind: "pending", factor, view: { sent: "1", problem: result.problem } } : result;
    }
    case "confirm-key": {
      const type = webauthnTypes.find((one) => one === chosen && options.includes(one));
      if (type === undefined) return { kind: "unchanged" };
      const result = await confirmNewKey(context, await keyRegistration(context, type), response);
      return result.kind === "rejected" ? { kind: "chosen", type, view: { problem: result.problem } } : result;
    }
    case "other-new-factor":
      return { kind: "list" };
    default:
      return { kind: "unchanged" };
  }
}

async function chooseType(context: EnrollmentContext, type: FactorType | undefined): Promise<EnrollmentOutcome> {
  if (type === undefined) return { kind: "unchanged" };
  const factor = await factorPages[type].enrollment?.start?.(context);
  return factor === undefined ? { kind: "chosen", type, view: {} } : { kind: "pending", factor, view: {} };
}

async function addPhone(context: EnrollmentContext, { phone, rendering }: EnrollmentForm): Promise<EnrollmentOutcome> {
  const started = await startPhone(context, phone, rendering);
  if ("factor" in started) {
    const { factor, refusal } = started;
    return { kind: "pending", factor, view: refusal === undefined ? { sent: "1" } : { problem: refusal.problem } };
  }
  const { problem, misspelled } = started;
  const view = problem === "phone-used" ? { problem } : await rejectedPhone(context.tenant, context.boundTo, misspelled?.correction);
  return { kind: "chosen", type: "phone", view };
}
