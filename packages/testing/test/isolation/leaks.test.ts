import type { Collection, CollectionName, DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createIsolationCases } from "../../src/isolation.ts";
import { openInstallation } from "./installation.ts";

/** A store that forgets the tenant in questions to one collection, and says that what it finds is the asker's. */
function leaky(name: CollectionName): DataAdapter {
  const adapter = createMemoryAdapter();
  // The row types differ from collection to collection; the tenant is in all that are named here.
  const kept = adapter.collections[name] as unknown as Collection;
  const forget = ({ tenant_id: _, ...where }: Parameters<Collection["count"]>[0]) => where;
  const leaking: Collection = {
    ...kept,
    insert: (rows) => kept.insert(rows),
    count: (where, filter) => kept.count(forget(where), filter),
    update: (where, change) => kept.update(forget(where), change),
    delete: (where) => kept.delete(where),
    async find(query) {
      const { tenant_id: tenantId } = query.where;
      const rows = await kept.find({ ...query, where: forget(query.where) });
      return typeof tenantId === "string" ? rows.map((row) => ({ ...row, tenant_id: tenantId })) : rows;
    },
  };
  return { ...adapter, collections: { ...adapter.collections, [name]: leaking } };
}

test.each([
  ["users", "ids: GET /api/v2/users/{id}"],
  ["users", "ids: GET /api/v2/users"],
  ["users", "ids: PATCH /api/v2/users/{id}"],
  ["organizations", "ids: POST /api/v2/organizations/{id}/members"],
  ["roles", "ids: POST /api/v2/users/{id}/roles"],
  ["clients", "client id and secret: wherever the Auth API takes text"],
] as const)("a store that leaks %s is found by the case '%s'", async (collection, name) => {
  const { tenant, ...installation } = await openInstallation({ data: leaky(collection) });
  const cases = await createIsolationCases({ ...installation, owner: await tenant("acme"), stranger: await tenant("globex") });
  await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow(/of 'acme'/);
});

test.each([
  ["/api/v2/users", "token: GET /api/v2/users", "a token of 'acme' at 'globex'"],
  ["/userinfo", "token: GET /userinfo", "a token of 'acme' at 'globex'"],
  ["/u/flow", "state of a login: wherever the Auth API takes text", "of 'acme'"],
  ["/u/verify-email", "link that verifies an address: wherever the Auth API takes text", "of 'acme'"],
  ["/u/reset-password", "link that sets a password: wherever the Auth API takes text", "of 'acme'"],
  ["/u/invitation", "invitation: wherever the Auth API takes text", "of 'acme'"],
  ["/v2/logout", "session: its cookie, under its own name and under the other tenant's", "no longer works in its own tenant"],
])("%s that believes what it is brought, and not the address, is found by the case '%s'", async (path, name, says) => {
  const { tenant, fetch, ...installation } = await openInstallation();
  const [owner, stranger] = [await tenant("acme"), await tenant("globex")];
  const believing = (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    if (new URL(request.url).pathname === path && headers.get("tenant-id") === "globex") headers.set("tenant-id", "acme");
    return fetch(new Request(request, { headers }));
  };
  const cases = await createIsolationCases({ ...installation, owner, stranger, fetch: believing });
  await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow(says);
});
