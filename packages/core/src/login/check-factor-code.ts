import { auditClient, auditUser } from "../logs/audit.ts";
import { verifyFactor, type FactorGuess, type FactorVerdict } from "../identity/factors/verify-factor.ts";
import { sendFactorLockedMail } from "../messages/factor-mails.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { toApiFactorType } from "../model/factors/factor-types.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Verifies the code of an enrolled factor. Writes an audit event for a wrong code, and notifies the user of the last
 * allowed attempt.
 */
export async function checkFactorCode(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  guess: FactorGuess,
): Promise<FactorVerdict> {
  const verdict = await verifyFactor(tenant, guess);
  await auditVerdict(tenant, client, guess, verdict);
  return verdict;
}

/** Writes an audit event for a wrong code, and notifies the user of the last allowed attempt. */
export async function auditVerdict(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  { user, factor }: FactorGuess,
  verdict: FactorVerdict,
): Promise<void> {
  const about = { details: { factor: toApiFactorType(factor.type) }, ...auditClient(client), ...auditUser(user) };
  if (verdict.kind === "throttled") {
    await tenant.audit({ type: "gd_auth_failed", description: "Too many failed codes of a second factor.", ...about });
  }
  if (verdict.kind === "wrong" && !verdict.isRepeated) {
    await tenant.audit({ type: "gd_auth_failed", description: "Wrong code of a second factor.", ...about });
    if (verdict.isLast) {
      sendFactorLockedMail(tenant, user, client);
      await tenant.audit({ type: "gd_otp_rate_limit_exceed", description: "A factor is locked: too many codes were wrong.", ...about });
    }
  }
}
