import { equalInConstantTime } from "../adapters/digest.ts";
import { redirectResponse } from "../http/html.ts";
import { isChannelOf } from "../identity/factors/factor-uses.ts";
import { enrollFactor } from "../identity/factors/enroll-factor.ts";
import { findFactor, isPendingFactor, type Factor } from "../identity/factors/factors.ts";
import { newTotpSecret } from "../identity/factors/totp.ts";
import { readPhoneNumber } from "../model/phone-number.ts";
import { newFactorTarget, setPhoneChannel } from "../login/steps/add-factor/new-factor.ts";
import { rejectedPhone } from "../login/steps/add-factor/shown-correction.ts";
import { offeredTypes } from "./offered-types.ts";
import { sendSessionCode } from "./send-code.ts";
import { securityUrl } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import type { AccountVisit } from "./visit.ts";

/**
 * Returns the text that names an unconfirmed factor in URLs and forms: its id, a colon and a keyed hash. Only the session
 * that adds the factor can open it.
 */
async function tokenOf({ tenant, session }: AccountVisit, id: string): Promise<string> {
  return `${id}:${await tenant.secrets.fingerprints.of("new factor", tenant.id, session.id, id)}`;
}

/** Returns the factor that a text from {@link tokenOf} names, which may be confirmed by now. */
export async function findNewFactor(visit: AccountVisit, text: string | undefined): Promise<Factor | undefined> {
  const [id = ""] = text?.split(":") ?? [];
  if (text === undefined || !equalInConstantTime(text, await tokenOf(visit, id))) return undefined;
  return findFactor(visit.tenant.data, visit.user.user_id, id);
}

/** Returns the unconfirmed factor that the user is adding. Undefined if it is confirmed, has expired or was removed. */
export async function findPendingFactor(visit: AccountVisit, text: string | undefined): Promise<Factor | undefined> {
  const factor = await findNewFactor(visit, text);
  return factor !== undefined && isPendingFactor(visit.tenant, factor) ? factor : undefined;
}

/** Starts to add an authenticator app, or shows the page on which the user enters a number or uses a key. */
export async function startFactor(visit: AccountVisit, { factor: type = "" }: SecurityForm): Promise<Response> {
  const { tenant, user } = visit;
  if (!(await offeredTypes(visit)).some((one) => one === type)) return redirectResponse(securityUrl(tenant, { view: "add" }));
  if (type !== "totp") return redirectResponse(securityUrl(tenant, { view: "add", type }));
  const { id } = await enrollFactor(tenant, { user, client: undefined }, { type, totpSecret: newTotpSecret(tenant.random) });
  return redirectResponse(securityUrl(tenant, { view: "add", type, new: await tokenOf(visit, id) }));
}

/** Starts to add a phone: sends a code to its number. */
export async function startUserPhone(visit: AccountVisit, { phone, rendering }: SecurityForm): Promise<Response> {
  const { tenant, user, session } = visit;
  const view = { view: "add", type: "phone" } as const;
  const read = await readPhoneNumber(phone);
  if (!(await offeredTypes(visit)).includes("phone")) return redirectResponse(securityUrl(tenant, { view: "add" }));
  if ("fault" in read)
    return redirectResponse(securityUrl(tenant, { ...view, ...(await rejectedPhone(tenant, session.id, read.correction)) }));
  const { number: address } = read;
  if (isChannelOf(visit.situation.first, address)) return redirectResponse(securityUrl(tenant, { ...view, problem: "phone-used" }));
  const { id } = await enrollFactor(tenant, { user, client: undefined }, { type: "phone", address, channel: "sms" });
  const state = await sendSessionCode(visit, { target: { id, type: "phone", address }, purpose: "add-factor", form: rendering });
  return redirectResponse(securityUrl(tenant, { ...view, new: await tokenOf(visit, id), ...state }));
}

/** Sends another code to the new phone. */
export async function resendCode(visit: AccountVisit, { view, channel, rendering }: SecurityForm): Promise<Response> {
  const { tenant } = visit;
  const factor = await findPendingFactor(visit, view.new);
  const target = factor && newFactorTarget(factor, channel);
  if (factor === undefined || target === undefined) return redirectResponse(securityUrl(tenant, view));
  const state = await sendSessionCode(visit, { target, purpose: "add-factor", form: rendering });
  if (channel !== undefined && state.problem === undefined) await setPhoneChannel(tenant, factor, channel);
  return redirectResponse(securityUrl(tenant, { ...view, ...state }));
}
