import { expect, test } from "vitest";
import { DataTimeoutError, UnavailableError } from "../store/conflicts.ts";
import type { StoredRow } from "../store/schema.ts";
import { createAuditWriter, type AuditWriter } from "./audit-writer.ts";

function row(id: number): StoredRow<"logs"> {
  return {
    tenant_id: "main",
    log_id: `log_${id}`,
    date: 0,
    type: "s",
    description: "",
    client_id: "",
    client_name: "",
    connection: "",
    connection_id: "",
    organization_id: "",
    organization_name: "",
    user_id: "",
    user_name: "",
    ip: "",
    hostname: "",
    user_agent: "",
    is_mobile: false,
    audience: "",
    scope: "",
    strategy: "",
    strategy_type: "",
    details: {},
    expires_at: null,
  };
}

/** Creates a writer on a collection with only `insert`, and the list of the entries that its logger receives. */
function writerOn(insert: (rows: readonly StoredRow<"logs">[]) => Promise<boolean>): {
  readonly writer: AuditWriter;
  readonly entries: unknown[];
} {
  const entries: unknown[] = [];
  return { writer: createAuditWriter(() => ({ insert }), { log: (entry) => void entries.push(entry) }), entries };
}

test.each([
  ["after two attempts, if the insert fails", new Error("no space left"), 2],
  ["after one attempt, if the insert times out", new DataTimeoutError("the database did not respond"), 1],
])("an audit row goes to the logger %s, and the write resolves", async (_, error, attempts) => {
  let inserts = 0;
  const { writer, entries } = writerOn(async () => {
    inserts++;
    throw error;
  });
  await writer.write(row(1));
  expect(inserts).toBe(attempts);
  expect(entries).toMatchObject([{ level: "error", event: "audit_failed", row: { log_id: "log_1" }, error }]);
});

test("an audit row whose first insert succeeded without a response is not logged", async () => {
  const stored = new Set<string>();
  const { writer, entries } = writerOn(async (rows) => {
    const isNew = rows.every(({ log_id: id }) => !stored.has(id));
    for (const { log_id: id } of rows) stored.add(id);
    if (isNew) throw new UnavailableError("the connection was lost");
    return false;
  });
  await writer.write(row(1));
  expect([...stored]).toEqual(["log_1"]);
  expect(entries).toEqual([]);
});
