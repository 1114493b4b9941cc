import type { DataAdapter } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";
import type { RequestParts } from "../../server/handle-request.ts";
import { withTimeouts } from "../../tenants/databases/database-timeouts.ts";
import { observeCollections } from "../../tenants/databases/observe-collections.ts";
import { installationOn } from "../../tenants/installation-on.ts";
import { createInProcess, type OpenTenant } from "./in-process.ts";
import { RunningCalls } from "./running-calls.ts";

/** The Management API in a transaction of the host application. See `postern.inTransaction`. */
export interface TransactionApi {
  /** Like `postern.tenant`, in the transaction. */
  readonly tenant: OpenTenant;
}

/**
 * Runs code of the host application with an API that sends all its statements to `data`. @throws {PosternError} as
 * documented at `postern.inTransaction`.
 */
export async function inTransaction<T>(
  parts: Omit<RequestParts, "authentication">,
  data: DataAdapter,
  run: (inside: TransactionApi) => Promise<T>,
): Promise<T> {
  if (parts.installation.isolation !== undefined) {
    throw new PosternError(
      "configuration_error",
      "postern.inTransaction: with 'databaseIsolation', each tenant has a separate database, and a transaction covers only one. See docs/database-sharing.md",
    );
  }
  const running = new RunningCalls();
  const installation = installationOn(parts.installation, {
    collections: running.guard(
      observeCollections(withTimeouts(data.collections, parts.installation.stores.runOnFirst), parts.installation.host.telemetry),
    ),
  });
  // The data store is not checked again, because the check needs a second connection, which may not be available while
  // the host application holds the connection of the transaction.
  const tenant = createInProcess(
    { ...parts, installation },
    async () => {},
    (begin) => running.call(begin),
  );
  let result: T;
  try {
    result = await run({ tenant });
  } finally {
    await running.end();
  }
  running.assertWhole();
  return result;
}
