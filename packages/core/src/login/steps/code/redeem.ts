import { auditClient, auditVisitor } from "../../../logs/audit.ts";
import { limitOneTimeCode } from "../../../identity/attack-protection/rate-limit.ts";
import { findCode, takeCode, type CodeGuess, type OneTimeCode } from "../../../identity/one-time-codes/one-time-code.ts";
import type { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "./progress.ts";
import type { ActionContext } from "../../step.ts";
import { loginOf } from "./request.ts";

/** A code that was entered in a form. */
export interface TypedCodeForm extends Pick<ActionContext, "form" | "wasAccepted"> {
  readonly typed: string;
}

/** The result of redeeming a code. `repeated`: another submission of the form used the code, and was accepted. */
type Redeemed =
  | { readonly kind: "right"; readonly code: OneTimeCode }
  | { readonly kind: "wrong" }
  | { readonly kind: "repeated" }
  | { readonly kind: "refused"; readonly error: PosternError };

/** The type of the audit event for a wrong code, by the code's purpose. */
const failures = { login: "f", "sign-up": "fv", "reset-password": "fcp", "link-account": "f" } as const;

/**
 * Redeems a code for sign-up, for a password reset or for linking accounts. Such a code does not sign the user in by
 * itself. Writes an audit event if the code is wrong.
 */
export async function redeemCode(
  interaction: Interaction,
  awaited: AwaitedCode,
  { typed, form, wasAccepted }: TypedCodeForm,
): Promise<Redeemed> {
  const { tenant, client } = interaction;
  const refusal = await limitOneTimeCode(tenant, client, awaited.to);
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  const guess: CodeGuess = {
    purpose: awaited.purpose,
    connectionId: awaited.connection_id,
    channel: awaited.channel,
    identifier: awaited.to,
    clientId: client.record.client_id,
    loginId: loginOf(interaction).id,
    ip: tenant.requestInfo.ip,
    typed,
  };
  const taken = await takeCode(tenant, await findCode(tenant, guess), guess, form);
  if (taken?.isRepeated === true && (await wasAccepted())) return { kind: "repeated" };
  if (taken !== undefined) return { kind: "right", code: taken.code };
  await tenant.audit({
    type: failures[awaited.purpose],
    description: "Wrong one-time code.",
    ...auditClient(client),
    ...auditVisitor(awaited.to),
  });
  return { kind: "wrong" };
}
