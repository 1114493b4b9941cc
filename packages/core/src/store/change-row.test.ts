import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import { changeRow, requireRow, type RowChange } from "./change-row.ts";
import type { Collection } from "./contract.ts";
import type { Row } from "./schema.ts";
import { tenantData } from "./tenant-data.ts";

type Consent = Row<"consents">;

let consents: Collection<Consent>;

const where = { id: "cst_1" };
const first: Consent = {
  id: "cst_1",
  user_id: "usr_1",
  client_id: "app",
  audience: "",
  audience_hash: "",
  scope: [],
  may_act: false,
  revision: 7,
  created_at: 0,
  updated_at: 0,
};

beforeEach(async () => {
  consents = tenantData(createMemoryAdapter({ strict: true }).collections, "a").consents;
  await consents.insert([first]);
});

const stored = async (): Promise<Consent | undefined> => (await consents.find({ where, limit: 1 }))[0];
const adding = (value: string) => (row: Consent) => ({ scope: [...row.scope, value] });

/** Returns the collection with a competing change between each read and the write that follows it. */
function contested(rival: () => Promise<unknown>): Pick<Collection<Consent>, "find" | "update"> {
  return {
    find: (query) => consents.find(query),
    update: async (...args) => {
      await rival();
      return consents.update(...args);
    },
  };
}

test("applies each of 32 parallel changes to the latest row, or reports a lost race", async () => {
  const lost: string[] = [];
  const change = async (value: string): Promise<void> => {
    for (;;) {
      const { outcome } = await changeRow(consents, where, adding(value));
      if (outcome === "changed") return;
      expect(outcome).toBe("lost-race");
      lost.push(value);
    }
  };
  const values = Array.from({ length: 32 }, (_, number) => `value:${number}`);
  await Promise.all(values.map(change));
  const row = await stored();
  expect(row?.scope.toSorted()).toEqual(values.toSorted());
  expect(row?.revision).toBe(first.revision + 32);
  // If no changes conflicted, the test would prove nothing.
  expect(lost.length).toBeGreaterThan(0);
});

test("returns the row after the change", async () => {
  const changed = await changeRow(consents, where, adding("read"));
  expect(changed).toEqual({ outcome: "changed", row: { ...first, scope: ["read"], revision: 8 } });
  expect(await stored()).toEqual({ ...first, scope: ["read"], revision: 8 });
});

test("does not read a known row again unless that row is outdated", async () => {
  let reads = 0;
  const counted: Pick<Collection<Consent>, "find" | "update"> = {
    find: (query) => {
      reads++;
      return consents.find(query);
    },
    update: (...args) => consents.update(...args),
  };
  await changeRow(counted, where, adding("read"), first);
  expect(reads).toBe(0);
  await changeRow(counted, where, adding("write"), first);
  expect(reads).toBe(1);
  expect((await stored())?.scope).toEqual(["read", "write"]);
});

test("writes nothing if the change returns undefined", async () => {
  expect(await changeRow(consents, where, () => undefined)).toEqual({ outcome: "unchanged", row: first });
  expect(await stored()).toEqual(first);
});

test("reports a missing or concurrently deleted row as absent", async () => {
  expect(await changeRow(consents, { id: "cst_2" }, adding("read"))).toEqual({ outcome: "absent" });
  const removed = contested(() => consents.delete(where));
  expect(await changeRow(removed, where, adding("read"))).toEqual({ outcome: "absent" });
});

test("checks the condition when it writes the row", async () => {
  const renamed = contested(() => consents.update(where, { set: { client_id: "other" } }));
  expect(await changeRow(renamed, { ...where, client_id: "app" }, adding("read"))).toEqual({ outcome: "absent" });
  expect((await stored())?.scope).toEqual([]);
});

test("gives up after five lost races and returns the current row", async () => {
  let rivals = 0;
  const busy = contested(() => consents.update(where, { set: { scope: [`rival:${++rivals}`] }, add: { revision: 1 } }));
  const expected = { ...first, scope: ["rival:5"], revision: 12 };
  expect(await changeRow(busy, where, adding("read"))).toEqual({ outcome: "lost-race", row: expected });
  expect(await stored()).toEqual(expected);
});

test("requireRow returns the row, or throws the error for a missing row or a lost race", () => {
  const missing = new Error("missing");
  const after = (change: RowChange<string>) => requireRow(change, "consent", () => missing);
  expect(after({ outcome: "changed", row: "new" })).toBe("new");
  expect(after({ outcome: "unchanged", row: "old" })).toBe("old");
  expect(() => after({ outcome: "absent" })).toThrow(missing);
  expect(() => after({ outcome: "lost-race", row: "theirs" })).toThrow("concurrent requests keep changing this consent; try again");
});
