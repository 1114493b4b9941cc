import type { Collection, DataAdapter, StoredRow } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { forEachWrite } from "../support/each-write.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const base = "/api/v2/keys/signing";

/** Creates a store in which the given write to signing keys and all later ones fail, as if the process had crashed. */
function crashingStore(): { readonly data: DataAdapter; failFrom(write: number): void; recover(): void; writes(): number } {
  const inner = createMemoryAdapter({ strict: true });
  let count = 0;
  let last = Infinity;
  const failing = <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (count++ >= last) throw new Error("the process crashed");
      return write(...args);
    };
  };
  const keys: Collection<StoredRow<"signing_keys">> = inner.collections.signing_keys;
  const signing_keys: Collection<StoredRow<"signing_keys">> = {
    find: (query) => keys.find(query),
    count: (where, filter) => keys.count(where, filter),
    insert: failing((rows) => keys.insert(rows)),
    update: failing((where, change) => keys.update(where, change)),
    delete: failing((where) => keys.delete(where)),
  };
  return {
    data: { ...inner, collections: { ...inner.collections, signing_keys } },
    failFrom(write) {
      count = 0;
      last = write;
    },
    recover() {
      last = Infinity;
    },
    writes: () => count,
  };
}

/** Expects exactly one current key, and that the Management API accepts a token that it signed. */
async function expectOneCurrentKey(service: TestPostern): Promise<void> {
  const manage = await managerOf(service);
  const keys = list(await manage("GET", base));
  expect(keys.filter((key) => key["current"] === true)).toHaveLength(1);
}

const operations: readonly (readonly [string, (manage: Manager, keys: readonly JsonBody[]) => Promise<{ readonly status: number }>])[] = [
  ["a rotation", (manage) => manage("POST", `${base}/rotate`)],
  ["a planned rotation", (manage) => manage("POST", `${base}/rotate`, { activate_in_days: 5, grace_days: 0 })],
  [
    "the revocation of the current key",
    (manage, keys) => manage("PUT", `${base}/${stringMember(keys.find((key) => key["current"] === true) ?? {}, "kid")}/revoke`),
  ],
  [
    "the revocation of a planned key",
    (manage, keys) => manage("PUT", `${base}/${stringMember(keys.find((key) => key["next"] === true) ?? {}, "kid")}/revoke`),
  ],
  [
    "the revocation of an outgoing key",
    (manage, keys) => manage("PUT", `${base}/${stringMember(keys.find((key) => key["previous"] === true) ?? {}, "kid")}/revoke`),
  ],
];

test.each(operations)("after a crash between any two writes of %s, exactly one key signs at once and at any later time", async (_, run) => {
  await forEachWrite(async (write) => {
    const store = crashingStore();
    const service = await createTestPostern({ data: store.data, logger: { log: () => {} } });
    const before = await managerOf(service);
    jsonBody(await before("POST", `${base}/rotate`), 201);
    jsonBody(await before("POST", `${base}/rotate`, { activate_in_days: 30 }), 201);
    const manage = await managerOf(service);
    const keys = list(await manage("GET", base));
    store.failFrom(write - 1);
    const { status } = await run(manage, keys);
    const writes = store.writes();
    expect(status).toBe(write === Infinity ? 201 : 500);
    store.recover();
    for (const days of ["0d", "1d", "5d", "30d", "40d", "400d"]) {
      service.clock.advance(days);
      await expectOneCurrentKey(service);
    }
    return writes;
  });
});
