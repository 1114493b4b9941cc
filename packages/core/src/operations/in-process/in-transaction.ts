import type { DataAdapter } from "../../store/contract.ts";
import { PosternError } from "../../errors.ts";
import type { AnswerParts } from "../../server/answer.ts";
import { withTimeouts } from "../../tenants/databases/database-timeouts.ts";
import { installationOn } from "../../tenants/installation-on.ts";
import { createInProcess, type OpenTenant } from "./in-process.ts";
import { RunningCalls } from "./running-calls.ts";

/** The Management API in a transaction of the host's. See `postern.inTransaction`. */
export interface TransactionApi {
  /** As `postern.tenant`, in the transaction. */
  readonly tenant: OpenTenant;
}

/** Runs the host's code with an API whose every statement goes to `data`. @throws {PosternError} as `postern.inTransaction` says. */
export async function inTransaction<T>(
  parts: Omit<AnswerParts, "authentication">,
  data: DataAdapter,
  run: (inside: TransactionApi) => Promise<T>,
): Promise<T> {
  if (parts.installation.isolation !== undefined) {
    throw new PosternError(
      "configuration_error",
      "postern.inTransaction: with 'databaseIsolation' tenants have databases of their own, and a transaction is in one. See docs/database-sharing.md",
    );
  }
  const underWay = new RunningCalls();
  const installation = installationOn(parts.installation, {
    collections: underWay.guard(withTimeouts(data.collections, parts.installation.stores.runOnFirst)),
  });
  // Not checked once more: the host has the connection, and another one may not be there.
  const tenant = createInProcess(
    { ...parts, installation },
    async () => {},
    (begin) => underWay.call(begin),
  );
  let result: T;
  try {
    result = await run({ tenant });
  } finally {
    await underWay.end();
  }
  underWay.assertWhole();
  return result;
}
