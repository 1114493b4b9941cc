import { expect, test } from "vitest";
import type { AnyRow, Collection, DataAdapter, Match } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { list, managerOf, stringMember } from "./support/api.ts";
import { createTestPostern } from "./support/postern.ts";

/** Returns an adapter that ignores the tenant in every read of users, as if its author forgot to apply the filter. */
function ignoringTenant(inner: DataAdapter): DataAdapter {
  const { users } = inner.collections;
  const anyTenant = ({ tenant_id: _, ...where }: Match<AnyRow>): Match<AnyRow> => where;
  // The cast keeps the object and only changes the type of its conditions to that of any row.
  const untyped = users as unknown as Collection;
  const withoutTenant: Collection = { ...untyped, find: (query) => untyped.find({ ...query, where: anyTenant(query.where) }) };
  return { ...inner, collections: { ...inner.collections, users: withoutTenant as unknown as typeof users } };
}

test("the service returns no rows of another tenant, even if the store does", async () => {
  const inner = createMemoryAdapter();
  const correct = await createTestPostern({ data: inner });
  const newUser = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "correct horse battery" };
  const userId = stringMember(await (await managerOf(correct)).create("/api/v2/users", newUser), "user_id");

  const broken = await createTestPostern({ data: ignoringTenant(inner) });
  const token = await broken.token("other");
  for (const path of [`/api/v2/users/${encodeURIComponent(userId)}`, "/api/v2/users", "/api/v2/users?fields=email"]) {
    const answer = await broken.call("GET", path, { token });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("ada");
    expect(broken.faults.at(-1)).toMatchObject({ event: "fault", error: { name: "ForeignRowError" } });
  }
  expect(broken.faults).toHaveLength(3);
  expect(list(await correct.call("GET", "/api/v2/users", { token }))).toEqual([]);
});
