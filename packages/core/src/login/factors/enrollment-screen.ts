import type { Factor } from "../../identity/factors/factors.ts";
import { fixedPhoneChannelState } from "../../messages/phone-channels.ts";
import { factorTypeSchema, type FactorType } from "../../model/factors/factor-types.ts";
import type { AddFactorScreen } from "../steps/add-factor/step.ts";
import type { LastCode } from "./challenge-screen.ts";
import type { FactorContext } from "./context.ts";
import { factorPages } from "./kinds.ts";

/** The state of the page on which a user adds a factor. */
interface EnrollmentView {
  /** The types that the user may add, the strongest first. */
  readonly options: readonly FactorType[];
  /** The type that the user chose. */
  readonly chosen?: FactorType | undefined;
  /** The unconfirmed factor that the user is adding. */
  readonly factor?: Factor | undefined;
  readonly last?: LastCode;
  /** Whether the address of a new factor is masked, because the visitor may be another person than the user. Default: false. */
  readonly masksAddress?: boolean;
}

/** Returns the screen with which a user adds a factor: the list of types, or what the chosen type needs. */
export async function enrollmentScreen(context: FactorContext, view: EnrollmentView): Promise<AddFactorScreen> {
  const { options } = view;
  const channel = options.includes("phone") ? fixedPhoneChannelState(context.tenant, undefined) : {};
  return { name: "add-factor", options: [...options], ...channel, ...(await chosenPart(context, view)) };
}

async function chosenPart(
  context: FactorContext,
  { options, chosen, factor, last = {}, masksAddress = false }: EnrollmentView,
): Promise<Partial<AddFactorScreen>> {
  const pending = factor && factorPages[factorTypeSchema.parse(factor.type)].enrollment?.pending;
  if (factor !== undefined && pending !== undefined) return pending(context, factor, last, masksAddress);
  if (chosen === undefined || !options.includes(chosen)) return {};
  const { enrollment } = factorPages[chosen];
  // Nothing is shown for a type that starts with an unconfirmed factor, which has expired.
  return enrollment === undefined || enrollment.start !== undefined ? {} : { factor: chosen, ...(await enrollment.chosen?.(context)) };
}
