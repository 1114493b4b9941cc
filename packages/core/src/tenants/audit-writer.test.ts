import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import type { Collection } from "../store/contract.ts";
import type { StoredRow } from "../store/schema.ts";
import { createAuditWriter } from "./audit-writer.ts";

type Row = StoredRow<"logs">;

function row(id: number): Row {
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

function logsOf(insert: (rows: readonly Row[]) => Promise<boolean>): () => Collection<Row> {
  const unused = async (): Promise<never> => {
    throw new Error("audit rows are only inserted");
  };
  const logs = { insert, find: unused, count: unused, update: unused, delete: unused };
  return () => logs;
}

test("audit rows from one turn of the event loop share an insert, and each write resolves after the insert", async () => {
  const inserts: number[] = [];
  let stored = 0;
  const writer = createAuditWriter(
    logsOf(async (rows) => {
      inserts.push(rows.length);
      await new Promise((resolve) => setTimeout(resolve, 5));
      stored += rows.length;
      return true;
    }),
    { log: () => {} },
  );
  const seen = await Promise.all([1, 2, 3, 4].map((id) => writer.write(row(id)).then(() => stored)));
  expect(inserts).toEqual([4]);
  expect(seen).toEqual([4, 4, 4, 4]);
});

test("the caller that wrote the first audit row of a batch inserts the batch", async () => {
  const caller = new AsyncLocalStorage<number>();
  const inserts: unknown[] = [];
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const writer = createAuditWriter(
    logsOf(async (rows) => {
      begin();
      inserts.push([caller.getStore(), rows.map(({ log_id }) => log_id)]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return true;
    }),
    { log: () => {} },
  );
  const write = (id: number): Promise<void> => caller.run(id, () => writer.write(row(id)));
  const first = write(1);
  await begun;
  await Promise.all([first, ...[2, 3, 4].map(write)]);
  expect(inserts).toEqual([
    [1, ["log_1"]],
    [2, ["log_2", "log_3"]],
    [4, ["log_4"]],
  ]);
});

test("an audit row that cannot be stored in two attempts is logged, and the write resolves", async () => {
  let tries = 0;
  const logged: unknown[] = [];
  const writer = createAuditWriter(
    logsOf(async () => {
      tries++;
      throw new Error("no space left");
    }),
    { log: (entry) => logged.push(entry) },
  );
  await writer.write(row(1));
  expect(tries).toBe(2);
  expect(logged).toMatchObject([{ level: "error", event: "audit_failed", row: { log_id: "log_1" } }]);
});
