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

/** The collection, where somebody else comes first between each read and the write after it. */
function contested(rival: () => Promise<unknown>): Pick<Collection<Consent>, "find" | "update"> {
  return {
    find: (query) => consents.find(query),
    update: async (...asked) => {
      await rival();
      return consents.update(...asked);
    },
  };
}

test("thirty-two parallel changes are each made to what the others left, or not at all", async () => {
  const outrun: string[] = [];
  const change = async (value: string): Promise<void> => {
    for (;;) {
      const { outcome } = await changeRow(consents, where, adding(value));
      if (outcome === "changed") return;
      expect(outcome).toBe("outrun");
      outrun.push(value);
    }
  };
  const values = Array.from({ length: 32 }, (_, number) => `value:${number}`);
  await Promise.all(values.map(change));
  const row = await stored();
  expect(row?.scope.toSorted()).toEqual(values.toSorted());
  expect(row?.revision).toBe(first.revision + 32);
  // Else nobody was in anybody's way, and nothing was tried here.
  expect(outrun.length).toBeGreaterThan(0);
});

test("the row comes back as it was left", async () => {
  const changed = await changeRow(consents, where, adding("read"));
  expect(changed).toEqual({ outcome: "changed", row: { ...first, scope: ["read"], revision: 8 } });
  expect(await stored()).toEqual({ ...first, scope: ["read"], revision: 8 });
});

test("a row that was read already is not read again, and one that is out of date is", async () => {
  let reads = 0;
  const counted: Pick<Collection<Consent>, "find" | "update"> = {
    find: (query) => {
      reads++;
      return consents.find(query);
    },
    update: (...asked) => consents.update(...asked),
  };
  await changeRow(counted, where, adding("read"), first);
  expect(reads).toBe(0);
  await changeRow(counted, where, adding("write"), first);
  expect(reads).toBe(1);
  expect((await stored())?.scope).toEqual(["read", "write"]);
});

test("where there is nothing to change nothing is written", async () => {
  expect(await changeRow(consents, where, () => undefined)).toEqual({ outcome: "unchanged", row: first });
  expect(await stored()).toEqual(first);
});

test("a row that is not there, or is gone when the change is written, is absent", async () => {
  expect(await changeRow(consents, { id: "cst_2" }, adding("read"))).toEqual({ outcome: "absent" });
  const removed = contested(() => consents.delete(where));
  expect(await changeRow(removed, where, adding("read"))).toEqual({ outcome: "absent" });
});

test("what the condition says holds when the row is changed, and not only when it was read", async () => {
  const renamed = contested(() => consents.update(where, { set: { client_id: "other" } }));
  expect(await changeRow(renamed, { ...where, client_id: "app" }, adding("read"))).toEqual({ outcome: "absent" });
  expect((await stored())?.scope).toEqual([]);
});

test("who is outrun five times gives up, and sees the row as the others left it", async () => {
  let rivals = 0;
  const busy = contested(() => consents.update(where, { set: { scope: [`rival:${++rivals}`] }, add: { revision: 1 } }));
  const expected = { ...first, scope: ["rival:5"], revision: 12 };
  expect(await changeRow(busy, where, adding("read"))).toEqual({ outcome: "outrun", row: expected });
  expect(await stored()).toEqual(expected);
});

test("a change that has to come about gives the row, or says why there is none", () => {
  const gone = new Error("gone");
  const after = (change: RowChange<string>) => requireRow(change, "consent", () => gone);
  expect(after({ outcome: "changed", row: "new" })).toBe("new");
  expect(after({ outcome: "unchanged", row: "old" })).toBe("old");
  expect(() => after({ outcome: "absent" })).toThrow(gone);
  expect(() => after({ outcome: "outrun", row: "theirs" })).toThrow("others keep changing this consent; try again");
});
