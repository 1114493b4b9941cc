import type { DataAdapter } from "@postern/core/adapter";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLinkingService, userPath, type LinkingService } from "../factors/linked-support.ts";
import { managerOf, type Manager } from "./api.ts";
import { fakeHasher, type TestAccount } from "./flow.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

/** Two users, of whom the second may be linked to the first. */
export interface LinkedPair {
  readonly data: Pick<DataAdapter, "collections">;
  readonly ann: TestAccount;
  readonly bob: TestAccount;
}

/** Expects that the row of each user lists the types of all factors that count for the user. @returns whether Bob is linked. */
export async function expectCompleteLists({ data, ann, bob }: LinkedPair, after: string): Promise<boolean> {
  const where = { tenant_id: "main", user_id: { in: [ann.userId, bob.userId] } };
  const users = await data.collections.users.find({ where, limit: 2 });
  const factors = await data.collections.factors.find({ where, limit: 100 });
  for (const user of users.filter(({ linked_to: to }) => to === "")) {
    const accounts = users.filter((one) => one === user || one.linked_to === user.user_id).map(({ user_id: id }) => id);
    const types = factors
      .filter(({ user_id: id, confirmed_at: at }) => accounts.includes(id) && at !== null)
      .filter(({ user_id: id, type }) => id === user.user_id || type !== "recovery-code")
      .map(({ type }) => type);
    expect(user.enrolled_factors ?? [], `${after}: ${user.email}`).toEqual(expect.arrayContaining([...new Set(types)]));
    expect(user.linked_count, `${after}: ${user.email}`).toBe(accounts.length - 1);
  }
  return users.some(({ linked_to: to }) => to !== "");
}

/**
 * Adds tests of parallel requests that link and unlink accounts and change their factors, on two processes.
 * @param open opens two connections to one new database.
 */
export function testLinkedFactorRaces(open: () => Promise<readonly [DataAdapter, DataAdapter]>): void {
  let service: LinkingService;
  let processes: readonly TestPostern[];
  let managers: readonly Manager[];

  beforeAll(async () => {
    const [first, second] = await open();
    service = await openLinkingService({ data: first });
    const other = await createTestPostern({ data: second, crypto: { hasher: fakeHasher }, testing: { clock: service.clock } });
    processes = [service, other];
    managers = await Promise.all(processes.map((one) => managerOf(one)));
  });
  afterAll(async () => {
    for (const one of processes) await one.postern.close();
  });

  test("accounts that are linked and unlinked in parallel, while factors are added and removed, keep the other factors", async () => {
    for (let round = 0; round < 8; round++) {
      const ann = await service.addLinkingUser(`ann-${round}@example.test`);
      const bob = await service.addLinkingUser(`bob-${round}@work.test`, 1);
      const methods = (account: TestAccount): string => `${userPath(account)}/authentication-methods`;
      const phone = (i: number) => ({ type: "phone", phone_number: `+491511234${1000 + i}` });
      const { id } = await service.manage.create(methods(ann), phone(99));
      const operations: readonly ((manage: Manager, i: number) => Promise<unknown>)[] = [
        (manage) => manage("POST", `${userPath(ann)}/identities`, { provider: "auth0", user_id: bob.userId }),
        (manage) => manage("DELETE", `${userPath(ann)}/identities/auth0/${encodeURIComponent(bob.userId)}`),
        (manage, i) => manage("POST", methods(ann), phone(i)),
        (manage, i) => manage("POST", methods(bob), phone(i)),
        (manage) => manage("DELETE", `${methods(ann)}/${encodeURIComponent(String(id))}`),
      ];
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const manage = managers[i % managers.length];
          return manage && operations[i % operations.length]?.(manage, i);
        }),
      );
      const isLinked = await expectCompleteLists({ data: service.data, ann, bob }, `round ${round}`);
      expect(await service.factorsOf(ann)).toEqual(expect.arrayContaining(isLinked ? ["totp"] : []));
      if (isLinked) expect(await service.unlink(ann, bob)).toMatchObject({ status: 200 });
      await expectCompleteLists({ data: service.data, ann, bob }, `the end of round ${round}`);
      expect(await service.factorsOf(bob)).toContain("totp");
      expect(await service.factorsOf(ann)).not.toContain("totp");
    }
  });
}
