import type { Logger } from "../adapters/logger.ts";
import { DataTimeoutError } from "../store/conflicts.ts";
import type { Collection } from "../store/contract.ts";
import type { StoredRow } from "../store/schema.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createRepeatedEvents, type RepeatedEvents } from "./repeated-events.ts";

/** Writes audit rows. */
export interface AuditWriter {
  /**
   * Resolves when the row is stored, when the logger received it because it could not be stored, or when it was only
   * counted: see {@link RepeatedEvents}.
   */
  write(row: StoredRow<"logs">): Promise<void>;
  /** Stores one row for each count of failures whose minute has ended. */
  storeEndedCounts(now: number): Promise<void>;
}

/**
 * Creates an {@link AuditWriter}.
 *
 * A failed insert is retried once, unless it timed out. Then the row goes to the logger as an error, and the request
 * succeeds: a failure of the audit log must not stop users from signing in.
 */
export function createAuditWriter(
  logsOf: (tenantId: string) => Pick<Collection<StoredRow<"logs">>, "insert">,
  logger: Logger,
  repeated: RepeatedEvents = createRepeatedEvents(),
  telemetry?: Telemetry,
): AuditWriter {
  const storeOne = async (row: StoredRow<"logs">): Promise<void> => {
    // If the response to an insert was lost, the row exists, and a second insert returns `false`.
    const insert = (): Promise<boolean> => logsOf(row.tenant_id).insert([row]);
    try {
      await insert().catch((error: unknown) => {
        // The database does not respond. The caller has already waited, and a write that timed out is not retried.
        if (error instanceof DataTimeoutError) throw error;
        return insert();
      });
    } catch (error) {
      telemetry?.metrics.count("auditFailures", {});
      logger.log({ level: "error", event: "audit_failed", row, error });
    }
  };

  const store = async (rows: readonly StoredRow<"logs">[]): Promise<void> => {
    await Promise.all(rows.map(storeOne));
  };

  return {
    write: (row) => store(repeated.admit(row)),
    storeEndedCounts: (now) => store(repeated.takeEnded(now)),
  };
}
