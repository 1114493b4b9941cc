import { expect, test } from "vitest";
import { DataTimeoutError, UnavailableError } from "../store/conflicts.ts";
import type { StoredRow } from "../store/schema.ts";
import { createAuditWriter } from "./audit-writer.ts";

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

test("an audit row that cannot be stored in two attempts is logged, and the write resolves", async () => {
  let tries = 0;
  const logged: unknown[] = [];
  const writer = createAuditWriter(
    () => ({
      insert: async () => {
        tries++;
        throw new Error("no space left");
      },
    }),
    { log: (entry) => logged.push(entry) },
  );
  await writer.write(row(1));
  expect(tries).toBe(2);
  expect(logged).toMatchObject([{ level: "error", event: "audit_failed", row: { log_id: "log_1" } }]);
});

test("an audit row whose insert timed out is logged without a second attempt", async () => {
  let tries = 0;
  const logged: unknown[] = [];
  const writer = createAuditWriter(
    () => ({
      insert: async () => {
        tries++;
        throw new DataTimeoutError("the database did not respond");
      },
    }),
    { log: (entry) => logged.push(entry) },
  );
  await writer.write(row(1));
  expect(tries).toBe(1);
  expect(logged).toMatchObject([{ level: "error", event: "audit_failed", row: { log_id: "log_1" } }]);
});

test("an audit row whose first insert succeeded without a response is not logged", async () => {
  const stored = new Set<string>();
  const logged: unknown[] = [];
  const writer = createAuditWriter(
    () => ({
      insert: async (rows) => {
        const isNew = rows.every(({ log_id: id }) => !stored.has(id));
        for (const { log_id: id } of rows) stored.add(id);
        if (isNew) throw new UnavailableError("the connection was lost");
        return false;
      },
    }),
    { log: (entry) => logged.push(entry) },
  );
  await writer.write(row(1));
  expect([...stored]).toEqual(["log_1"]);
  expect(logged).toEqual([]);
});
