import type { Collection, CollectionName, DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createIsolationCases } from "../../src/isolation.ts";
import { openInstallation } from "./installation.ts";

/**
 * Creates an adapter that ignores the tenant in queries to one collection, and returns each row with the tenant id from
 * the query.
 */
function leaky(name: CollectionName): DataAdapter {
  const adapter = createMemoryAdapter();
  // The row types of the collections differ, but all collections named here have a `tenant_id`.
  const correct = adapter.collections[name] as unknown as Collection;
  const withoutTenant = ({ tenant_id: _, ...where }: Parameters<Collection["count"]>[0]) => where;
  const leaking: Collection = {
    ...correct,
    insert: (rows) => correct.insert(rows),
    count: (where, filter) => correct.count(withoutTenant(where), filter),
    update: (where, change) => correct.update(withoutTenant(where), change),
    delete: (where) => correct.delete(where),
    async find(query) {
      const { tenant_id: tenantId } = query.where;
      const rows = await correct.find({ ...query, where: withoutTenant(query.where) });
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
  ["clients", "client id and secret: in every text field of the Auth API"],
] as const)("an adapter that leaks %s fails the case '%s'", async (collection, name) => {
  const { tenant, ...installation } = await openInstallation({ data: leaky(collection) });
  const cases = await createIsolationCases({ ...installation, owner: await tenant("acme"), stranger: await tenant("globex") });
  await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow(/of 'acme'/);
});

test.each([
  ["/api/v2/users", "token: GET /api/v2/users", "a token of 'acme' at 'globex'"],
  ["/userinfo", "token: GET /userinfo", "a token of 'acme' at 'globex'"],
  ["/u/flow", "state of a login session: in every text field of the Auth API", "of 'acme'"],
  ["/u/verify-email", "email verification link: in every text field of the Auth API", "of 'acme'"],
  ["/u/reset-password", "password reset link: in every text field of the Auth API", "of 'acme'"],
  ["/u/invitation", "invitation: in every text field of the Auth API", "of 'acme'"],
  ["/v2/logout", "session: its cookie, under its own name and under the other tenant's", "no longer works in its own tenant"],
])("a service whose %s ignores the tenant in the request fails the case '%s'", async (path, name, message) => {
  const { tenant, fetch, ...installation } = await openInstallation();
  const [owner, stranger] = [await tenant("acme"), await tenant("globex")];
  const wrongTenantFetch = (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    if (new URL(request.url).pathname === path && headers.get("tenant-id") === "globex") headers.set("tenant-id", "acme");
    return fetch(new Request(request, { headers }));
  };
  const cases = await createIsolationCases({ ...installation, owner, stranger, fetch: wrongTenantFetch });
  await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow(message);
});

test("a My Account API that responds differently to the client ids of the other tenant fails its case", async () => {
  const { tenant, fetch, ...installation } = await openInstallation();
  const [owner, stranger] = [await tenant("acme"), await tenant("globex")];
  const revealingFetch = async (request: Request): Promise<Response> => {
    const [, id] = /^\/me\/v1\/grants\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
    if (id === undefined) return fetch(request);
    const headers = { ...owner.headers, authorization: `Bearer ${await owner.token()}` };
    const { status } = await fetch(new Request(new URL(`/api/v2/clients/${id}`, request.url), { headers }));
    return status === 200 ? new Response(null, { status: 204 }) : fetch(request);
  };
  const cases = await createIsolationCases({ ...installation, owner, stranger, fetch: revealingFetch });
  const named = cases.find(({ name }) => name === "client id and secret: in every text field of the My Account API");
  await expect(named?.run()).rejects.toThrow("of 'acme'");
});
