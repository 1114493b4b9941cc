import { createAddressRanges } from "../../adapters/addresses.ts";
import type { Row } from "../../data/schema.ts";
import type { AttackProtection } from "../../model/tenant/attack-protection.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import {
  accountSubject,
  clearFailures,
  identifierSubject,
  reserveTry,
  type CountingContext,
  type NoTry,
  type ReservedTry,
} from "../attack-protection/login-attempts.ts";

interface ReservationContext extends CountingContext {
  readonly connection: Row<"connections">;
  readonly ip: string | undefined;
  readonly protection: AttackProtection;
  /** Names the form that was sent, if one was. */
  readonly form?: string | undefined;
}

/** Counts the try before its password is looked at. */
export async function reserveLogin(
  request: ReservationContext,
  primaryId: string | undefined,
  identifier: string,
): Promise<ReservedTry | NoTry> {
  const { connection, ip, data, protection } = request;
  const { enabled, shields, allowlist, max_attempts: most } = protection.brute_force_protection;
  const exempt =
    !enabled ||
    !shields.includes("block") ||
    databaseOptions(connection).brute_force_protection === false ||
    (ip !== undefined && createAddressRanges(allowlist).includes(ip));
  if (exempt) return uncounted(data, primaryId);
  const subject = primaryId === undefined ? identifierSubject(connection.name, identifier) : accountSubject(primaryId);
  return reserveTry(request, await subject, most, request.form);
}

/** A try that is not counted. Its success still ends what others' failures began. */
function uncounted(data: CountingContext["data"], primaryId: string | undefined): ReservedTry {
  return {
    fail: async () => false,
    clear: async () => {
      if (primaryId !== undefined) await clearFailures(data, primaryId);
    },
    giveBack: async () => {},
  };
}
