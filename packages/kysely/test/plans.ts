import { type AnyRow, type Find } from "@postern/core";
import { beforeAll, expect, test } from "vitest";
import type { SqlAdapter } from "@postern/kysely";
import { row, untyped } from "./rows.ts";

/** Text of a plan as the server prints it. */
export type Explain = (sql: string, values: readonly unknown[]) => Promise<string>;

const tenant = "plans";

const user = (i: number): AnyRow =>
  row("users", {
    tenant_id: tenant,
    user_id: `auth0|${String(i).padStart(24, "0")}`,
    connection: "users",
    email: `user${i}@example.com`,
    email_key: `user${i}@example.com`,
    name: `User ${i % 100}`,
    created_at: 1_700_000_000_000 + (i >> 1),
    updated_at: 1_700_000_000_000 + i,
    logins_count: i % 10,
    last_login: i,
  });

const pages: readonly (Pick<Find<AnyRow>, "orderBy"> & { readonly after: readonly (string | number)[]; readonly index: RegExp })[] = [
  ...(["created_at", "updated_at", "last_login", "logins_count"] as const).map((field) => ({
    orderBy: { fields: [field, "user_id"], direction: "desc" as const },
    after: [field === "created_at" || field === "updated_at" ? 1_700_000_002_000 : 5, "auth0|5"],
    index: new RegExp(`postern_users_by_linked_to_${field}`),
  })),
  ...(["email", "name"] as const).map((field) => ({
    orderBy: { fields: [field, "user_id"], direction: "asc" as const },
    after: [field === "email" ? "user5" : "User 5", "auth0|5"],
    // Where every user is a primary account, the shorter index of the e-mail address is as good.
    index: new RegExp(`postern_users_by_(linked_to_)?${field}`),
  })),
];

/** Pages of one tenant's 10,000 users read as many index entries as they show rows, wherever in the list they are; their total is counted in an index alone. */
export function pagesUseIndexes(
  open: () => SqlAdapter,
  recorded: () => readonly { sql: string; values: readonly unknown[] }[],
  explain: Explain,
  faults: RegExp,
  { counting, after = async () => {} }: { readonly counting?: RegExp; readonly after?: () => Promise<unknown> },
): void {
  beforeAll(async () => {
    const users = untyped(open(), "users");
    for (let i = 0; i < 10_000; i += 64) await users.insert(Array.from({ length: Math.min(64, 10_000 - i) }, (_, j) => user(i + j)));
    await after();
  }, 120_000);

  test.each(pages)("$orderBy.fields.0 $orderBy.direction", async ({ orderBy, after: place, index }) => {
    const users = untyped(open(), "users");
    for (const rest of [{}, { after: place }]) {
      await users.find({ where: { tenant_id: tenant, linked_to: "", deleting_at: null }, ...(orderBy && { orderBy }), ...rest, limit: 50 });
      const last = recorded().at(-1);
      if (last === undefined) throw new Error("nothing was recorded");
      const plan = await explain(last.sql, last.values);
      expect(plan).toMatch(index);
      expect(plan).not.toMatch(faults);
    }
  });

  test.runIf(counting !== undefined)("the total", async () => {
    expect(await untyped(open(), "users").count({ tenant_id: tenant, linked_to: "", deleting_at: null })).toBe(10_000);
    const last = recorded().at(-1);
    if (last === undefined) throw new Error("nothing was recorded");
    expect(await explain(last.sql, last.values)).toMatch(counting ?? /./);
  });
}
