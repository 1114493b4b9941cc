import { maskAddress } from "../../identity/factors/mask-address.ts";
import { openTotpSecret } from "../../identity/factors/totp.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { webauthnTypes } from "../../identity/webauthn/credential.ts";
import { fixedPhoneChannelState, phoneChannelState } from "../../messages/phone-channels.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { AddFactorScreen } from "../steps/add-factor/step.ts";
import { sentState, type LastCode } from "./challenge-screen.ts";
import type { FactorContext } from "./context.ts";
import { lockedState } from "./locked-factor.ts";
import { authenticatorUri, newFactorTarget } from "./new-factor.ts";
import { keyCreation } from "./new-key.ts";

/** What the page on which a user adds a factor shows. */
interface EnrollmentView {
  /** The types that the user may add, the strongest first. */
  readonly options: readonly FactorType[];
  /** The type that the user chose. */
  readonly chosen?: FactorType | undefined;
  /** The unconfirmed factor that the user is adding. */
  readonly factor?: Factor | undefined;
  readonly last?: LastCode;
  /** Whether the number of a new phone is masked, because the visitor may be somebody else. Default: false. */
  readonly masksAddress?: boolean;
}

/**
 * Returns the screen with which a user adds a factor: the list of types, or what the chosen type needs. The number of a
 * new phone is shown, unless it is masked, because the user typed it a moment ago and may see a typing mistake.
 */
export async function enrollmentScreen(context: FactorContext, view: EnrollmentView): Promise<AddFactorScreen> {
  const { tenant } = context;
  const { options } = view;
  const channel = options.includes("phone") ? fixedPhoneChannelState(tenant, undefined) : {};
  return { name: "add-factor", options: [...options], ...channel, ...(await chosenPart(context, view)) };
}

async function chosenPart(
  context: FactorContext,
  { options, chosen, factor, last = {}, masksAddress = false }: EnrollmentView,
): Promise<Partial<AddFactorScreen>> {
  const { tenant, user } = context;
  if (factor?.type === "totp") {
    const secret = await openTotpSecret(tenant, factor);
    return {
      factor: "totp",
      ...(await lockedState(tenant, user.user_id, "totp")),
      totp: { secret, uri: authenticatorUri(tenant, user, secret) },
    };
  }
  const target = factor && newFactorTarget(factor);
  if (target !== undefined) {
    return {
      factor: target.type,
      sentTo: masksAddress ? maskAddress(target.address) : target.address,
      ...sentState(tenant, target.type, last),
      ...phoneChannelState(tenant, target.channel),
      ...(await lockedState(tenant, user.user_id, target.type)),
    };
  }
  if (chosen === undefined || !options.includes(chosen)) return {};
  const key = webauthnTypes.find((type) => type === chosen);
  return key === undefined ? { factor: chosen } : { factor: key, ...(await keyCreation(context, key)) };
}
