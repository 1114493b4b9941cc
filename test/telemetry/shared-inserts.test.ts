import { createManualClock } from "@postern/core/testing";
import { expect, test } from "vitest";
import { systemWait } from "../../packages/core/src/adapters/wait.ts";
import { groupInserts } from "../../packages/core/src/tenants/databases/group-inserts.ts";
import { Telemetry } from "../../packages/core/src/telemetry/telemetry.ts";
import { recordTelemetry } from "../support/telemetry.ts";

const unused = async (): Promise<never> => {
  throw new Error("rows are only inserted");
};
const others = { find: unused, count: unused, update: unused, delete: unused };

test("an insert that several requests share has no parent, and links to the call of each request", async () => {
  const { telemetry: options, spans, runInHostSpan } = recordTelemetry();
  const clock = createManualClock(0);
  const telemetry = new Telemetry(options, { clock, logger: { log: () => {} } });
  const inserts: number[] = [];
  const insert = async (rows: readonly unknown[]): Promise<boolean> => inserts.push(rows.length) > 0;
  const rows = groupInserts({ ...others, insert }, { clock, wait: systemWait, telemetry }, "logs");
  const requests = await Promise.all(["1", "2", "3"].map((id) => runInHostSpan(() => rows.insert([{ id }]))));
  expect(inserts).toEqual([3]);

  const calls = spans.filter(({ name }) => name === "grouped insert logs");
  expect(calls.map(({ parent }) => parent)).toEqual(requests.map(({ span }) => span));
  const groups = spans.filter(({ name }) => name === "insert group logs");
  expect(groups).toMatchObject([
    {
      parent: undefined,
      links: calls.map(({ context }) => context),
      attributes: { "db.collection.name": "logs", "db.operation.batch.size": 3 },
    },
  ]);
  expect(new Set([...groups, ...calls].map(({ context }) => context.traceId)).size).toBe(4);
});
