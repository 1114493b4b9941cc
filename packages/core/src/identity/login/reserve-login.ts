import { createAddressRanges } from "../../adapters/addresses.ts";
import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { attackProtectionSettings } from "../../model/tenant/attack-protection.ts";
import {
  accountSubject,
  clearFailures,
  identifierSubject,
  reserveAttempt,
  type AttemptRejection,
  type ReservedAttempt,
} from "../attack-protection/login-attempts.ts";

/**
 * Counts a password attempt before its password is checked.
 * @param form identifies the submitted form, if the attempt came from one. See {@link reserveAttempt}.
 */
export async function reserveLogin(
  tenant: TenantContext,
  connection: Row<"connections">,
  primaryId: string | undefined,
  identifier: string,
  form: string | undefined,
): Promise<ReservedAttempt | AttemptRejection> {
  const { enabled, shields, allowlist, max_attempts: maximum } = attackProtectionSettings(tenant.record).brute_force_protection;
  const { ip } = tenant.requestInfo;
  const exempt =
    !enabled ||
    !shields.includes("block") ||
    databaseOptions(connection).brute_force_protection === false ||
    (ip !== undefined && createAddressRanges(allowlist).includes(ip));
  if (exempt) return uncounted(tenant.data, primaryId);
  const subject = primaryId === undefined ? identifierSubject(connection.name, identifier) : accountSubject(primaryId);
  return reserveAttempt(tenant, await subject, maximum, form);
}

/** Returns an attempt that is not counted. A success still clears the failures of earlier, counted attempts. */
function uncounted(data: TenantData, primaryId: string | undefined): ReservedAttempt {
  return {
    fail: async () => false,
    clear: async () => {
      if (primaryId !== undefined) await clearFailures(data, primaryId);
    },
    giveBack: async () => {},
  };
}
