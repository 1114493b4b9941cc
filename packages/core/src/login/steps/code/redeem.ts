import { auditClient, auditVisitor } from "../../../logs/audit.ts";
import { limitOneTimeCode } from "../../../identity/attack-protection/rate-limit.ts";
import { findCode, useCode, type OneTimeCode } from "../../../identity/one-time-codes/one-time-code.ts";
import type { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "../../progress.ts";
import { loginOf } from "./request.ts";

/** The result of redeeming a code. */
type Redeemed =
  | { readonly kind: "right"; readonly code: OneTimeCode }
  | { readonly kind: "wrong" }
  | { readonly kind: "refused"; readonly error: PosternError };

/** The type of the audit event for a wrong code, by the code's purpose. */
const failures = { login: "f", "sign-up": "fv", "reset-password": "fcp", "link-account": "f" } as const;

/**
 * Redeems a code for sign-up, for a password reset or for linking accounts. Such a code does not sign the user in by
 * itself. Writes an audit event if the code is wrong.
 */
export async function redeemCode(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Redeemed> {
  const { tenant, client } = interaction;
  const refusal = await limitOneTimeCode(tenant, client, awaited.to);
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  const code = await findCode(tenant, {
    purpose: awaited.purpose,
    connectionId: awaited.connection_id,
    channel: awaited.channel,
    identifier: awaited.to,
    clientId: client.record.client_id,
    loginId: loginOf(interaction).id,
    ip: tenant.requestInfo.ip,
    typed,
  });
  if (code !== undefined && (await useCode(tenant, code))) return { kind: "right", code };
  await tenant.audit({
    type: failures[awaited.purpose],
    description: "Wrong one-time code.",
    ...auditClient(client),
    ...auditVisitor(awaited.to),
  });
  return { kind: "wrong" };
}
