import { createMemoryAdapter } from "@postern/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, list, listAllPages, managerOf, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { tokenWith } from "./token-with.ts";

/** `GET /organizations/search`, `/clients/search` and `/resource-servers/search`. */

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  for (const [index, word] of ["acme", "acne", "zeta", "50%"].entries()) {
    service.clock.advance("1h");
    const name = `${word.charAt(0).toUpperCase()}${word.slice(1)} (${index})`;
    await manage.create("/api/v2/organizations", { name: `${word.replace("%", "-off")}-${index}`, display_name: name });
    await manage.create("/api/v2/clients", { name, app_type: "spa" });
    await manage.create("/api/v2/resource-servers", { identifier: `https://${word.replace("%", "")}.example.test/`, name });
  }
});

const searches = [
  {
    path: "/api/v2/organizations/search",
    key: "organizations",
    id: "id",
    label: "display_name",
    hidden: "metadata.a",
    sorts: ["name", "display_name", "created_at"],
  },
  {
    path: "/api/v2/clients/search",
    key: "clients",
    id: "client_id",
    label: "name",
    hidden: "secret_hash",
    sorts: ["name", "client_id", "created_at"],
  },
  {
    path: "/api/v2/resource-servers/search",
    key: "resource_servers",
    id: "id",
    label: "name",
    hidden: "scopes",
    sorts: ["name", "created_at"],
  },
];

describe.each(searches)("$path", ({ path, key, id, label, hidden, sorts }) => {
  const search = (query: { readonly [name: string]: string }) => manage("GET", `${path}?${new URLSearchParams(query)}`);
  const labels = async (q: string) => list(await search({ q }), key).map((item) => String(item[label]));

  test("finds records by the start of a name, by a word, by a phrase and by an id", async () => {
    expect(await labels(`${label}:Ac*`)).toEqual(["Acme (0)", "Acne (1)"]);
    expect(await labels(`${label}:Ac* AND NOT ${label}:Acm*`)).toEqual(["Acne (1)"]);
    expect(await labels("Zet")).toEqual(["Zeta (2)"]);
    expect(await labels("eta")).toEqual([]);
    expect(await labels(`${label}:"50% (3)"`)).toEqual(["50% (3)"]);
    expect(await labels(`${label}:50\\%*`)).toEqual(["50% (3)"]);
    const [found = {}] = list(await search({ q: "Zeta" }), key);
    expect(await labels(`${id}:"${stringMember(found, id)}"`)).toEqual(["Zeta (2)"]);
  });

  test("returns pages with a cursor, in the order of creation or by a field", async () => {
    const all = list(await search({ take: "100" }), key);
    expect(all.length).toBeGreaterThanOrEqual(4);
    expect(await listAllPages(manage, path, key, 2)).toEqual(all);
    for (const sort of sorts) {
      const sorted = list(await search({ sort, take: "100" }), key);
      expect(new Set(sorted.map((item) => item[id]))).toEqual(new Set(all.map((item) => item[id])));
      if (sort === "created_at") expect(sorted).toEqual(all);
      else
        expect(sorted.map((item) => String(item[sort]))).toEqual(
          sorted.map((item) => String(item[sort])).toSorted((a, b) => (a < b ? -1 : 1)),
        );
    }
    const next = stringMember(jsonBody(await search({ take: "1", q: `${label}:Ac*` })), "next");
    expect(list(await search({ take: "1", q: `${label}:Ac*`, from: next }), key).map((item) => item[label])).toEqual(["Acne (1)"]);
    expectError(await search({ q: `${label}:Z*`, from: next }), 400, "invalid_request", "'from'");
    expectError(await manage("GET", `${path.replace("/search", "")}?take=1&from=${next}`), 400, "invalid_request", "'from'");
  });

  test("returns the requested fields", async () => {
    expect(list(await search({ q: "Zeta", fields: id }), key).map((item) => Object.keys(item))).toEqual([[id]]);
    const [whole = {}] = list(await search({ q: "Zeta", fields: id, include_fields: "false" }), key);
    expect(whole).not.toHaveProperty(id);
    expect(whole).toHaveProperty("name");
  });

  test.each([
    ["an unknown field", { q: "nope:1" }, "'q' at character"],
    ["a wildcard at the start", { q: `${label}:*cm*` }, "'q' at character"],
    ["an open quote", { q: `${label}:"Acme` }, "'q' at character"],
    ["SCIM", { parser: "scim" }, "'parser'"],
    ["another parser", { parser: "v3" }, "'parser'"],
    ["a direction", { sort: "name:desc" }, "'sort'"],
    ["a field without an index", { sort: "updated_at" }, "'sort'"],
    ["a page number", { page: "0" }, "'page'"],
    ["an empty page", { take: "0" }, "'take'"],
    ["a large page", { take: "101" }, "'take'"],
    ["an invented cursor", { from: "x" }, "'from'"],
  ])("rejects %s", async (_title, query, text) => {
    expectError(await search(query), 400, "invalid_request", text);
  });

  test("rejects fields that are not searchable", async () => {
    expectError(await search({ q: `${hidden}:1` }), 400, "invalid_request", "'q' at character");
  });

  test("does not find the records of another tenant", async () => {
    const other = await managerOf(service, "other");
    const ids = async (manager: Manager) => list(await manager("GET", `${path}?take=100`), key).map((item) => stringMember(item, id));
    const known = new Set(await ids(manage));
    // The other tenant has its own copies of the APIs of the control plane.
    expect((await ids(other)).filter((one) => known.has(one))).toEqual([]);
    const [first = ""] = known;
    expect(list(await other("GET", `${path}?q=${id}:"${encodeURIComponent(first)}"`), key)).toEqual([]);
  });

  test("rejects a search that no index serves", async () => {
    const refusal = "add a condition on a value";
    for (const q of [`NOT ${label}:a*`, "_exists_:created_at", "NOT _exists_:created_at", `${label}:Ac* OR NOT ${label}:Z*`])
      expectError(await search({ q }), 400, "invalid_request", refusal);
    expect(await labels(`${label}:Ac* AND _exists_:created_at`)).toEqual(["Acme (0)", "Acne (1)"]);
  });

  test("requires a scope", async () => {
    const token = await tokenWith(service, manage, ["read:roles"]);
    expectError(await service.call("GET", path, { token }), 403, "insufficient_scope");
  });
});

test("read:client_summary finds clients by the fields that it shows", async () => {
  const token = await tokenWith(service, manage, ["read:client_summary", "read:client_credentials"]);
  const search = (query: string) => service.call("GET", `/api/v2/clients/search?${query}`, { token });
  const [found = {}] = list(await search("q=Zeta"), "clients");
  expect(Object.keys(found).toSorted()).toEqual(["app_type", "client_id", "name"]);
  expectError(await search("q=created_at:2020"), 400, "invalid_request", "'q' at character");
  expectError(await search("sort=created_at"), 400, "invalid_request", "'sort'");
});

test("the number of statements of a search of organizations does not depend on the number of organizations", async () => {
  const data = countingAdapter(createMemoryAdapter({ strict: true }));
  const counted = await createTestPostern({ data });
  const manager = await managerOf(counted);
  const [{ id } = { id: "" }] = list(await manager("GET", "/api/v2/connections"));
  for (const name of ["a", "b", "c", "d"])
    await manager.create("/api/v2/organizations", { name, enabled_connections: [{ connection_id: id }] });
  const statementsOf = async (query: string): Promise<number> => {
    const request = (): Promise<ApiResponse> => manager("GET", `/api/v2/organizations/search?${query}`);
    // The first request fills the caches.
    await request();
    return (await data.costOf(request)).statements.length;
  };
  const fields = "fields=id,enabled_connections";
  expect(await statementsOf(`take=4&${fields}`)).toBe(await statementsOf(`take=1&${fields}`));
  expect(await statementsOf("take=4")).toBe((await statementsOf(`take=4&${fields}`)) - 2);
});

test("no API can have the identifier `search`, which is the path of the search", async () => {
  const body = { name: "Search", identifier: "search" };
  expectError(await manage("POST", "/api/v2/resource-servers", body), 400, "invalid_request", "must not be 'search'");
});

test("no seeded client can have the id `search`, which is the path of the search", async () => {
  const clients = [{ clientId: "search", settings: { name: "Search" } }];
  await expect(service.postern.seed({ tenantId: "main", clients })).rejects.toThrow("'search'");
});

test("a system API is found by its name", async () => {
  const found: readonly JsonBody[] = list(await manage("GET", "/api/v2/resource-servers/search?q=Auth0"), "resource_servers");
  expect(found).toMatchObject([{ identifier: managementAudience, is_system: true }]);
});
