import { expect, test } from "vitest";
import type { AnyRow, Collection, DataAdapter, Match } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { list, managerOf, text } from "./support/api.ts";
import { createTestPostern } from "./support/postern.ts";

/** Forgets the tenant in every read of users, as an author does who wrote the filter and never passed it on. */
function forgetful(inner: DataAdapter): DataAdapter {
  const { users } = inner.collections;
  const anyTenant = ({ tenant_id: _, ...where }: Match<AnyRow>): Match<AnyRow> => where;
  // Its rows are what `users` holds; only the conditions are taken for those of any row.
  const untyped = users as unknown as Collection;
  const forgets: Collection = { ...untyped, find: (query) => untyped.find({ ...query, where: anyTenant(query.where) }) };
  return { ...inner, collections: { ...inner.collections, users: forgets as unknown as typeof users } };
}

test("a store that answers with another tenant's rows gives nothing away", async () => {
  const inner = createMemoryAdapter();
  const sound = await createTestPostern({ data: inner });
  const person = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "correct horse battery" };
  const userId = text(await (await managerOf(sound)).create("/api/v2/users", person), "user_id");

  const broken = await createTestPostern({ data: forgetful(inner) });
  const token = await broken.token("other");
  for (const path of [`/api/v2/users/${encodeURIComponent(userId)}`, "/api/v2/users", "/api/v2/users?fields=email"]) {
    const answer = await broken.call("GET", path, { token });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("ada");
    expect(broken.faults.at(-1)).toMatchObject({ event: "fault", error: { name: "ForeignRowError" } });
  }
  expect(broken.faults).toHaveLength(3);
  expect(list(await sound.call("GET", "/api/v2/users", { token }))).toEqual([]);
});
