import type { JSX } from "preact";
import { maskAddress } from "../../../identity/factors/mask-address.ts";
import type { Factor } from "../../../identity/factors/factors.ts";
import { phoneChannelState } from "../../../messages/phone-channels.ts";
import { Address } from "../../components/address.tsx";
import type { AddFactorScreen } from "../../steps/add-factor/step.ts";
import { sentState, type LastCode } from "../challenge-screen.ts";
import type { FactorContext } from "../context.ts";
import { lockedState } from "../locked-factor.ts";
import { newFactorTarget } from "../new-factor.ts";
import type { ChallengeDrawing } from "./kind.ts";

/** Renders the destination of the code that was sent, or that the user can request. */
export function SentLead({ t, screen, text }: SentLeadProps): JSX.Element {
  const { sentTo = "", sent } = screen;
  return <p class="lead">{t.pieces(sent === true ? text : "factorLeadSend", { address: <Address>{sentTo}</Address> })}</p>;
}

interface SentLeadProps extends Pick<ChallengeDrawing, "t" | "screen"> {
  readonly text: "factorLeadEmail" | "factorLeadPhone";
}

/**
 * Returns the fields of the screen for an unconfirmed factor with sent codes.
 * @param masksAddress whether the address is masked, because the visitor may be another person. Otherwise it is shown,
 * because the user typed it a moment ago and may see a typing mistake.
 */
export async function pendingTarget(
  { tenant, user }: FactorContext,
  factor: Factor,
  last: LastCode,
  masksAddress: boolean,
): Promise<Partial<AddFactorScreen>> {
  const target = newFactorTarget(factor);
  if (target === undefined) return {};
  return {
    factor: target.type,
    sentTo: masksAddress ? maskAddress(target.address) : target.address,
    ...sentState(tenant, target.type, last),
    ...phoneChannelState(tenant, target.channel),
    ...(await lockedState(tenant, user.user_id, target.type)),
  };
}
