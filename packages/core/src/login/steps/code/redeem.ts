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

/** The types of the audit event for a wrong code. */
const failures = { login: "f", "sign-up": "fv", "reset-password": "fcp", "link-account": "f" } as const;

/**
 * Redeems a code that does not itself sign in: of a sign-up, a reset or a link of accounts. A wrong code writes an
 * audit event.
 */
export async function redeemCode(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Redeemed> {
  const { tenant, client } = interaction;
  const refusal = await limitOneTimeCode(tenant, client, awaited.to);
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
  // Strangers can use up the limit, which counts by destination. A code of this login session has its own tries, so
  // only a wrong one is refused.
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  await tenant.audit({
    type: failures[awaited.purpose],
    description: "Wrong one-time code.",
    ...auditClient(client),
    ...auditVisitor(awaited.to),
  });
  return { kind: "wrong" };
}
