import { expect, test } from "vitest";
import { fakeHasher, openService } from "../support/flow.ts";
import { createCrashingStore } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";

const connection = "Username-Password-Authentication";
const password = "correct horse battery";

test("repeating an import after a crash at any write stores each user once, with the original password", async () => {
  const store = createCrashingStore();
  const service = await openService({ data: store.data });
  const hash = await fakeHasher.hash(password);
  let imports = 0;
  await forEachWrite(async (write) => {
    imports++;
    // One batch has a hundred users. ada exists already, so the second batch is inserted one by one.
    const users = Array.from({ length: 103 }, (_, n) => ({
      email: n === 101 ? service.ada.email : `d${imports}-${n}@example.test`,
      password_hash: hash,
    }));
    store.crashAt(write);
    const isComplete = await service.postern.importUsers("main", users, { connection }).then(
      () => true,
      () => false,
    );
    expect(isComplete).toBe(write === Infinity);
    const writes = store.writes.length;
    store.recover();
    const { total, failed } = await service.postern.importUsers("main", users, { connection, upsert: true });
    expect({ total, failed }, `write ${write}`).toEqual({ total: 103, failed: 0 });
    expect(await service.data.collections.users.count({ tenant_id: "main", linked_to: "" })).toBe(2 + 102 * imports);
    for (const n of [0, 99, 100, 102]) {
      const [user] = await service.data.collections.users.find({
        where: { tenant_id: "main", connection, email_key: `d${imports}-${n}@example.test` },
        limit: 1,
      });
      const [stored] = await service.data.collections.passwords.find({
        where: { tenant_id: "main", id: user?.password_id ?? "" },
        limit: 1,
      });
      expect(stored, `write ${write}, user ${n}`).toMatchObject({ hash, user_id: user?.user_id });
    }
    return writes;
  });
});
