import type { TenantContext } from "../../context.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { verifyAuthentication, type Authentication } from "../webauthn/authentication.ts";
import { webauthnTypes } from "../webauthn/credential.ts";
import { reserveFactorAttempt } from "./factor-attempts.ts";
import { auditFactor, auditFailure, type FactorOwner } from "./factor-events.ts";

/** A submitted response of a passkey or security key. */
interface KeyGuess extends FactorOwner {
  readonly type: FactorType;
  readonly authentication: Authentication;
  /** The parsed JSON. Undefined, which is rejected, if the text was not JSON. */
  readonly response: unknown;
}

/**
 * Verifies the response of an enrolled passkey or security key. Counts the attempt first. Writes the audit events of the
 * attempt. If the attempt was the last one for now, an email tells the user.
 */
export async function verifyKey(tenant: TenantContext, guess: KeyGuess): Promise<"right" | "wrong" | "throttled"> {
  const { user, type, authentication, response } = guess;
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type);
  if (attempt === "throttled") {
    await auditFactor(tenant, guess, type, "throttled");
    return "throttled";
  }
  const types = webauthnTypes.filter((one) => one === type);
  const verified = await verifyAuthentication(tenant, authentication, response, types);
  if (verified.outcome === "verified") {
    await Promise.all([attempt.succeed(), auditFactor(tenant, guess, type, "passed")]);
    return "right";
  }
  const { reason, detail } = verified;
  const details = { reason, ...(detail !== undefined && { detail }) };
  await auditFailure(tenant, guess, { type, outcome: "wrong", isLast: attempt.isLast, details });
  return "wrong";
}
