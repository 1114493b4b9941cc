import type { CodeTarget } from "../identity/factors/factor-code.ts";
import { trySendFactorCode } from "../messages/send-factor-code.ts";
import type { SecurityState } from "./security-page.ts";
import type { AccountVisit } from "./visit.ts";

/** A code to send. */
interface RequestedCode {
  readonly target: CodeTarget;
  readonly purpose: "factor" | "add-factor";
  /** The id of the form that requested the code. Only one code is sent, however often the form is submitted. */
  readonly form: string | undefined;
}

/**
 * Sends a one-time code to a phone or mailbox that is enrolled as a factor, or that the user is adding. The code is valid
 * only in this session.
 * @returns the state of the next page.
 */
export async function sendSessionCode(
  { tenant, user, session }: AccountVisit,
  { target, purpose, form }: RequestedCode,
): Promise<Pick<SecurityState, "sent" | "problem">> {
  const refusal = await trySendFactorCode(tenant, { client: undefined, user, target, place: { purpose, loginId: session.id }, form });
  return refusal === undefined ? { sent: "1" } : { problem: refusal.problem };
}
