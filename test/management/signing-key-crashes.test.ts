import type { Collection, DataAdapter, StoredRow } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { list, managerOf, object, text, type Json, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const base = "/api/v2/keys/signing";

/** A store whose writes to keys are lost from the one on that is asked for, as when a process dies. */
function mortal(): { readonly data: DataAdapter; dieBefore(write: number): void; live(): void; writes(): number } {
  const inner = createMemoryAdapter({ strict: true });
  let count = 0;
  let last = Infinity;
  const guarded = <Sent extends readonly unknown[], Result>(write: (...sent: Sent) => Promise<Result>) => {
    return async (...sent: Sent): Promise<Result> => {
      if (count++ >= last) throw new Error("the process died");
      return write(...sent);
    };
  };
  const keys: Collection<StoredRow<"signing_keys">> = inner.collections.signing_keys;
  const signing_keys: Collection<StoredRow<"signing_keys">> = {
    find: (query) => keys.find(query),
    count: (where, filter) => keys.count(where, filter),
    insert: guarded((rows) => keys.insert(rows)),
    update: guarded((where, change) => keys.update(where, change)),
    delete: guarded((where) => keys.delete(where)),
  };
  return {
    data: { ...inner, collections: { ...inner.collections, signing_keys } },
    dieBefore(write) {
      count = 0;
      last = write;
    },
    live() {
      last = Infinity;
    },
    writes: () => count,
  };
}

/** Exactly one key signs, and somebody's token works. */
async function signs(service: TestPostern): Promise<void> {
  const manage = await managerOf(service);
  const keys = list(await manage("GET", base));
  expect(keys.filter((key) => key["current"] === true)).toHaveLength(1);
}

const operations: readonly (readonly [string, (manage: Manager, keys: readonly Json[]) => Promise<{ readonly status: number }>])[] = [
  ["a rotation", (manage) => manage("POST", `${base}/rotate`)],
  ["a planned rotation", (manage) => manage("POST", `${base}/rotate`, { activate_in_days: 5, grace_days: 0 })],
  [
    "the revocation of the current key",
    (manage, keys) => manage("PUT", `${base}/${text(keys.find((key) => key["current"] === true) ?? {}, "kid")}/revoke`),
  ],
  [
    "the revocation of a planned key",
    (manage, keys) => manage("PUT", `${base}/${text(keys.find((key) => key["next"] === true) ?? {}, "kid")}/revoke`),
  ],
  [
    "the revocation of an outgoing key",
    (manage, keys) => manage("PUT", `${base}/${text(keys.find((key) => key["previous"] === true) ?? {}, "kid")}/revoke`),
  ],
];

test.each(operations)("after a crash between any two writes of %s a key signs, on that day and for ever", async (_, run) => {
  for (let write = 0, died = true; died; write++) {
    const store = mortal();
    const service = await createTestPostern({ data: store.data, logger: { log: () => {} } });
    const before = await managerOf(service);
    object(await before("POST", `${base}/rotate`), 201);
    object(await before("POST", `${base}/rotate`, { activate_in_days: 30 }), 201);
    const manage = await managerOf(service);
    const keys = list(await manage("GET", base));
    store.dieBefore(write);
    const { status } = await run(manage, keys);
    died = store.writes() > write;
    expect(status).toBe(died ? 500 : 201);
    store.live();
    for (const days of ["0d", "1d", "5d", "30d", "40d", "400d"]) {
      service.clock.advance(days);
      await signs(service);
    }
    expect(write).toBeLessThan(12);
  }
});
