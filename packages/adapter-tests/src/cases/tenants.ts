import { tenantData, type Collection } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { equal, equalInAnyOrder } from "../failure.ts";
import { randomToken } from "../rows.ts";
import { untyped } from "../subject.ts";

export const tenantCases = [
  define(
    "tenants: every method separates the same ids of two tenants",
    "If the tenant is missing in one condition, a customer sees another customer's users.",
    ["tenant", "text", "sortInstant"],
    async (s, { adapter }) => {
      const { text, sortInstant } = s.fields;
      const rows = [1, 2].map((instant) => s.row({ [sortInstant]: instant, [text]: "as it was" }));
      const [mine, theirs] = [`kit-a-${randomToken()}`, `kit-b-${randomToken()}`].map((tenant): Collection =>
        scoped(adapter.collections, tenant, s.description.name),
      );
      if (mine === undefined || theirs === undefined) return;
      const bare = rows.map(({ tenant_id: _, ...row }) => row);
      const [first = {}] = bare;
      const { tenant_id: _, ...one } = s.key(rows[0] ?? {});
      const { tenant_id: __, ...all } = s.where();
      const orderBy = s.order(sortInstant);

      await mine.insert(bare);
      equal("find in the other tenant", await theirs.find({ where: all, limit: 9 }), []);
      equal(
        "find of a page in the other tenant",
        await theirs.find({ where: all, orderBy, after: s.cursor(first, orderBy), limit: 9 }),
        [],
      );
      equal("count in the other tenant", Number(await theirs.count(all)), 0);
      equal("update in the other tenant", Number(await theirs.update(one, { set: { [text]: "theirs" } })), 0);
      equal("delete in the other tenant", Number(await theirs.delete(one)), 0);

      await theirs.insert(bare);
      equal("the other tenant's rows, under the same keys", (await theirs.find({ where: all, limit: 9 })).length, 2);
      equal("update in both", Number(await theirs.update(one, { set: { [text]: "theirs" } })), 1);
      equal("delete in both", Number(await theirs.delete(one)), 1);
      equal("the other tenant's count", Number(await theirs.count(all)), 1);
      equal("this tenant's rows at the end", await mine.find({ where: all, orderBy, limit: 9 }), bare);
      equal("this tenant's count", Number(await mine.count(all)), 2);
    },
  ),

  define(
    "tenants: a condition without a tenant matches the rows of all tenants",
    "`sweep` finds expired rows with such a condition.",
    ["tenant", "expiry"],
    async (s) => {
      const { expiry } = s.fields;
      const instant = -Math.floor(Math.random() * 1e12);
      const rows = ["a", "b"].map((name) => s.row({ [expiry]: instant, tenant_id: `kit-${name}-${randomToken()}` }));
      await s.put(...rows);
      const found = await s.collection.find({ where: { [expiry]: { gte: instant, lt: instant + 1 } }, limit: 9 });
      equalInAnyOrder(
        "the tenants found",
        found.map((row) => row["tenant_id"]),
        rows.map((row) => row["tenant_id"]),
      );
      equal("count across them", Number(await s.collection.count({ [expiry]: { gte: instant, lt: instant + 1 } })), 2);
    },
  ),
];

/** Returns the collection in the scope of one tenant. */
function scoped(collections: Parameters<typeof tenantData>[0], tenant: string, name: string): Collection {
  const data: object = tenantData(collections, tenant);
  return untyped(data, name);
}
