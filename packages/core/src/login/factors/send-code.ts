import type { CodeTarget } from "../../identity/factors/factor-code.ts";
import { sendFactorCode, type FactorCodeRefusal } from "../../messages/send-factor-code.ts";
import type { FactorContext } from "./context.ts";

/** Seconds until a page offers another code. */
export const resendDelay = 30;

/** Options of {@link sendCode}. */
interface CodeOptions {
  readonly purpose: "factor" | "add-factor";
  /** The id of the form that requested the code. Only one code is sent, however often the form is submitted. */
  readonly form?: string | undefined;
}

/**
 * Sends the code of a factor, as `sendFactorCode`. An earlier code stays valid if a limit prevents another one.
 * @returns undefined if the code was sent.
 */
export function sendCode(
  { tenant, user, client, boundTo, uiLocales }: FactorContext,
  target: CodeTarget,
  { purpose, form }: CodeOptions,
): Promise<FactorCodeRefusal | undefined> {
  return sendFactorCode(tenant, { client, user, target, place: { purpose, loginId: boundTo }, uiLocales, form });
}
