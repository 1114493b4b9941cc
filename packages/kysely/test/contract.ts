import { createAdapterCases } from "@postern/adapter-tests";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import type { TableAdapter } from "@postern/kysely";

/** Runs all cases of the data contract with an open adapter. */
export function keepsTheContract(open: () => TableAdapter, openToClose: () => TableAdapter | Promise<TableAdapter>): void {
  describe("the data contract", () => {
    for (const { name, run } of createAdapterCases({ open, openToClose })) test(name, run);
  });
}

/** A transaction of the host, and an adapter for the data in it. */
export interface Within {
  readonly data: DataAdapter;
  readonly rollBack: () => Promise<void>;
}

/** Runs each case of the data contract in a transaction of the host. */
export function keepsTheContractWithin(begin: () => Promise<Within>): void {
  describe("the data contract, within a transaction", () => {
    let within: Within | undefined;
    beforeEach(async () => {
      within = await begin();
    });
    afterEach(() => within?.rollBack());
    const open = (): DataAdapter => {
      if (within === undefined) throw new Error("not begun");
      return within.data;
    };
    for (const { name, run } of createAdapterCases({ open })) test(name, run);

    test("keeps rows that parallel inserts write while inserts of several rows conflict", async () => {
      const { directory } = open().collections;
      const named = (value: string) => ({ kind: "host", value, tenant_id: "beside", created_at: 0 });
      await directory.insert([named("taken")]);
      const beside = ["a", "b", "c"].flatMap((name) => [
        directory.insert([named(`${name}-1`), named("taken"), named(`${name}-2`)]),
        directory.insert([named(name)]),
      ]);
      expect(await Promise.all(beside)).toEqual([false, true, false, true, false, true]);
      const kept = await directory.find({ where: { tenant_id: "beside" }, limit: 10 });
      expect(kept.map(({ value }) => value).toSorted()).toEqual(["a", "b", "c", "taken"]);
    });
  });
}
