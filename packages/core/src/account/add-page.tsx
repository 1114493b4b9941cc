import { redirectResponse } from "../http/html.ts";
import { openTotpSecret } from "../identity/factors/totp.ts";
import { lockedState } from "../login/locked-factor.ts";
import { drawAddFactor } from "../login/steps/add-factor/page.tsx";
import { authenticatorUri, newFactorTarget } from "../login/steps/add-factor/new-factor.ts";
import { addFactorProblem } from "../login/steps/add-factor/shown-correction.ts";
import type { AddFactorScreen } from "../login/steps/add-factor/step.ts";
import { fixedPhoneChannelState, phoneChannelState } from "../messages/phone-channels.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import { newKeyOptions } from "./add-key.ts";
import { offeredKeys, offeredTypes } from "./offered-types.ts";
import { findPendingFactor } from "./new-factor.ts";
import { BackToSecurity } from "./pages/back.tsx";
import { problemNamed, securityPage, securityUrl, type SecurityState } from "./security-page.ts";
import type { AccountVisit } from "./visit.ts";

/** Seconds until the page offers another code. */
const resendDelay = 30;

/** Returns the pages with which the user adds a factor: the list of types, and a page for each type. */
export async function addPage(visit: AccountVisit, state: SecurityState): Promise<Response> {
  const { tenant } = visit;
  const options = await offeredTypes(visit);
  const type = options.find((one) => one === state.type);
  const screen = type === undefined ? fixedPhoneChannelState(tenant, undefined) : await chosenPart(visit, type, state);
  // The key of the app has expired, or was confirmed in another tab.
  if (screen === undefined) return redirectResponse(securityUrl(tenant, { view: "add" }));
  const problem = (await addFactorProblem(tenant, visit.session.id, state)) ?? problemNamed(state.problem);
  return securityPage(visit, state, {
    name: "add-factor",
    draw: (drawing) => ({
      problem: problem !== undefined,
      ...drawAddFactor(
        { ...drawing, problem },
        { name: "add-factor", options: [...options], ...screen },
        {
          lead: drawing.t.text("securityAddLead"),
          exit: <BackToSecurity t={drawing.t} href={securityUrl(tenant)} />,
        },
      ),
    }),
  });
}

/** Returns the fields for the chosen type. Undefined if the factor that the URL names is no longer unconfirmed. */
async function chosenPart(
  visit: AccountVisit,
  type: FactorType,
  { new: text, sent }: SecurityState,
): Promise<Partial<AddFactorScreen> | undefined> {
  const { tenant, user } = visit;
  const key = (await offeredKeys(visit)).find((one) => one === type);
  if (key !== undefined) {
    const publicKey = await newKeyOptions(visit, key);
    return { factor: type, ...(publicKey && { publicKey }) };
  }
  const factor = await findPendingFactor(visit, text);
  if (factor !== undefined && factor.type !== type) return undefined;
  if (type === "totp") {
    if (factor === undefined) return undefined;
    const secret = await openTotpSecret(tenant, factor);
    return {
      factor: type,
      ...(await lockedState(tenant, user.user_id, type)),
      totp: { secret, uri: authenticatorUri(tenant, user, secret) },
    };
  }
  if (text === undefined) return { factor: type, ...fixedPhoneChannelState(tenant, undefined) };
  const target = factor && newFactorTarget(factor);
  if (target === undefined) return undefined;
  const { otp_expiration_time: validFor } = multifactorSettings(tenant.record).phone.codes;
  return {
    factor: type,
    ...phoneChannelState(tenant, target.channel),
    // The user typed the number a moment ago. Unmasked, it shows a typing mistake.
    sentTo: target.address,
    ...(await lockedState(tenant, user.user_id, type)),
    ...(sent !== undefined && { sent: true as const, resendIn: resendDelay, validFor }),
  };
}
