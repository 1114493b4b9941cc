import { beforeAll, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody } from "../support/api.ts";
import { createLists, listKeys, type Lists } from "./list-fixture.ts";

/** Checks pages, checkpoints, sorting and totals of every list with three shapes in the OpenAPI document. */

/** The lists that accept `sort`, each with one of its fields. */
const sorted: readonly (readonly [template: string, field: string])[] = [
  ["/api/v2/users", "created_at"],
  ["/api/v2/users/{id}/logs", "date"],
  ["/api/v2/users/{user_id}/sessions", "created_at"],
  ["/api/v2/users/{user_id}/refresh-tokens", "created_at"],
  ["/api/v2/roles", "name"],
  ["/api/v2/organizations", "name"],
  ["/api/v2/organizations/{id}/invitations", "created_at"],
  ["/api/v2/clients", "name"],
  ["/api/v2/clients/initial-access-tokens", "created_at"],
  ["/api/v2/client-grants", "created_at"],
  ["/api/v2/connections", "name"],
  ["/api/v2/resource-servers", "name"],
  ["/api/v2/logs", "date"],
  ["/api/v2/sessions", "created_at"],
  ["/api/v2/logout-deliveries", "created_at"],
  ["/api/v2/custom-domains", "created_at"],
];

/** The list that continues after an event instead of after a cursor. */
const logs = "/api/v2/logs";

/** The default members of an item in checkpoint pages, if they are a subset of its members, as in Auth0. */
const checkpointMembers: { readonly [path: string]: readonly string[] } = {
  "/api/v2/organizations": ["id", "name", "display_name", "branding", "metadata", "token_quota"],
};

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

let lists: Lists;
let fromOne: Lists;

beforeAll(async () => {
  [lists, fromOne] = [await createLists(0), await createLists(1)];
});

const get = (template: string, query: string, { manage, at }: Lists = lists) => manage("GET", at(template, query));

test("the table of sorted lists contains every list with a sort parameter", async () => {
  const { paths } = jsonBody(await lists.service.call("GET", "/api/v2/spec"));
  const pathsWith = (parameter: string): readonly string[] =>
    Object.entries(paths as { readonly [path: string]: JsonBody })
      .filter(([, { get }]) => {
        const { parameters = [] } = (get ?? {}) as { readonly parameters?: readonly JsonBody[] };
        return parameters.some(({ name, $ref }) => name === parameter || String($ref).endsWith(`/${parameter}`));
      })
      .map(([path]) => path)
      // Lists of tenants and operations have other envelopes, which test/tenancy covers. Searches have only pages with
      // cursors, which search.test.ts covers.
      .filter((path) => path.startsWith("/api/v2/") && !path.endsWith("/search"))
      .toSorted(byText);
  expect(pathsWith("sort")).toEqual(sorted.map(([template]) => template).toSorted(byText));
});

describe.each(Object.entries(listKeys))("%s", (template, key) => {
  test("is a bare array, or an envelope with include_totals", async () => {
    const items = list(await get(template, "per_page=100"));
    expect(items.length).toBeGreaterThanOrEqual(3);
    const envelope = jsonBody(await get(template, "per_page=2&page=1&include_totals=true"));
    expect(envelope).toEqual({ [key]: items.slice(2, 4), start: 2, limit: 2, length: items.slice(2, 4).length, total: items.length });
  });

  test("numbers pages from 0, or from 1 if the service is configured to", async () => {
    const items = list(await get(template, "per_page=100", fromOne));
    expect(items.length).toBeGreaterThanOrEqual(3);
    const shift = template.endsWith("/invitations") ? 0 : 1;
    expect(list(await get(template, "per_page=2", fromOne))).toEqual(items.slice(0, 2));
    expect(list(await get(template, `per_page=2&page=${shift}`, fromOne))).toEqual(items.slice(0, 2));
    const second = jsonBody(await get(template, `per_page=2&page=${shift + 1}&include_totals=true`, fromOne));
    expect(second).toMatchObject({ [key]: items.slice(2, 4), start: 2, total: items.length });
    if (shift === 1) expectError(await get(template, "page=0", fromOne), 400, "invalid_request", "'page' counts from 1");
  });

  test("rejects invalid page parameters", async () => {
    for (const query of ["page=-1", "page=1.5", "page=x", "page=", "per_page=101", "per_page=-1", "page=0&page=1", "include_totals=1"]) {
      expectError(await get(template, query), 400, "invalid_request", `'${query.split("=")[0] ?? ""}'`);
    }
  });

  test("returns only the requested fields", async () => {
    const [first = {}] = list(await get(template, "per_page=1"));
    const [field = ""] = Object.keys(first);
    expect(list(await get(template, `per_page=1&fields=${field}`))).toEqual([{ [field]: first[field] }]);
    const { [field]: _, ...rest } = first;
    expect(list(await get(template, `per_page=1&fields=${field}&include_fields=false`))).toEqual([rest]);
  });
});

describe.each(sorted)("%s with sort", (template, field) => {
  test("accepts both notations and both directions", async () => {
    const ascending = list(await get(template, `per_page=100&sort=${field}:asc`));
    const descending = list(await get(template, `per_page=100&sort=${field}:desc`));
    expect(ascending.length).toBeGreaterThanOrEqual(3);
    expect(ascending).toEqual(descending.toReversed());
    expect(list(await get(template, `per_page=100&sort=${field}:1`))).toEqual(ascending);
    expect(list(await get(template, `per_page=100&sort=${field}`))).toEqual(ascending);
    expect(list(await get(template, `per_page=100&sort=${field}:-1`))).toEqual(descending);
    const values = ascending.map((item) => String(item[field]));
    expect(values).toEqual(values.toSorted(byText));
  });

  test("rejects an unknown sort order", async () => {
    for (const sort of ["", ":1", "nope:1", "__proto__:1", `${field}:up`, `${field}:2`, `${field}:1:1`, `${field},id`, "x".repeat(201)]) {
      expectError(await get(template, `sort=${encodeURIComponent(sort)}`), 400, "invalid_request", "'sort'");
    }
  });
});

describe.each(Object.entries(listKeys).filter(([template]) => template !== logs))("%s with a cursor", (template, key) => {
  const firstCursor = async (query = "take=1"): Promise<string> => stringMember(jsonBody(await get(template, query)), "next");

  test("returns each item once", async () => {
    const members = checkpointMembers[template];
    const items = list(await get(template, `per_page=100${members === undefined ? "" : `&fields=${members.join(",")}`}`));
    for (const take of [1, 2, 100])
      expect(await listAllPages(lists.manage, lists.at(template, "").replace(/[?&]$/, ""), key, take)).toEqual(items);
  });

  test("returns opaque cursors that cannot be forged", async () => {
    const next = await firstCursor();
    expect(next.length).toBeGreaterThan(40);
    const tampered = next.slice(0, -4) + (next.at(-4) === "A" ? "B" : "A") + next.slice(-3);
    for (const from of ["1", "0", " ", "null", tampered, next.slice(0, -3), "x".repeat(4001)]) {
      expectError(await get(template, `take=1&from=${encodeURIComponent(from)}`), 400, "invalid_request", "'from'");
    }
  });

  test("accepts a cursor only for the same query", async () => {
    const next = await firstCursor();
    for (const paging of ["take=2", "take=2&page=0", "take=2&per_page=50&include_totals=true"])
      expect((await get(template, `${paging}&from=${next}`)).status).toBe(200);
    expectError(await get(template, `take=1&from=${next}&page=1`), 400, "invalid_request", "'page' and 'from'");
    const elsewhere = template === "/api/v2/users" ? "/api/v2/clients" : "/api/v2/users";
    expectError(await get(elsewhere, `take=1&from=${next}`), 400, "invalid_request", "'from'");
    const other = await managerOf(lists.service, "other");
    // The other tenant does not have the user, client or other owner of the list.
    if (!template.includes("{") && template !== "/api/v2/refresh-tokens") {
      expectError(await other("GET", lists.at(template, `take=1&from=${next}`)), 400, "invalid_request", "'from'");
    }
  });
});

test("a cursor from the list of one user, role, organization or client grant is invalid in the list of another", async () => {
  const { manage } = lists;
  const usedPaths = Object.keys(listKeys)
    .map((template) => lists.at(template, ""))
    .join();
  const another = async (path: string, id: string): Promise<string> => {
    const ids = list(await manage("GET", `/api/v2/${path}?per_page=3`)).map((item) => encodeURIComponent(stringMember(item, id)));
    return ids.find((one) => !usedPaths.includes(one)) ?? "";
  };
  const owners = {
    users: await another("users", "user_id"),
    roles: await another("roles", "id"),
    organizations: await another("organizations", "id"),
    "client-grants": await another("client-grants", "id"),
  };
  for (const template of Object.keys(listKeys)) {
    const match = /^\/api\/v2\/(users|roles|organizations|client-grants)\/\{\w+\}\/([\w-]+)$/.exec(template);
    const [, kind, rest] = match ?? [];
    if (kind !== "users" && kind !== "roles" && kind !== "organizations" && kind !== "client-grants") continue;
    const next = stringMember(jsonBody(await get(template, "take=1")), "next");
    const address = `/api/v2/${kind}/${owners[kind]}/${rest ?? ""}`;
    expect((await manage("GET", `${address}?take=1`)).status, address).toBe(200);
    expectError(await manage("GET", `${address}?take=1&from=${next}`), 400, "invalid_request", "'from'");
  }
});

test("a client that removes items while it pages through a list sees all of them", async () => {
  const { manage } = lists;
  const role = stringMember(await manage.create("/api/v2/roles", { name: "Short-lived" }), "id");
  const users = list(await manage("GET", "/api/v2/users?per_page=100")).map((user) => stringMember(user, "user_id"));
  await manage("POST", `/api/v2/roles/${role}/users`, { users });
  const seen = new Set<string>();
  let from = "";
  for (;;) {
    const page = jsonBody(await manage("GET", `/api/v2/roles/${role}/users?take=1${from}`));
    for (const user of page["users"] as readonly JsonBody[]) {
      seen.add(stringMember(user, "user_id"));
      await manage("DELETE", `/api/v2/users/${encodeURIComponent(stringMember(user, "user_id"))}/roles`, { roles: [role] });
    }
    if (page["next"] === undefined) break;
    from = `&from=${stringMember(page, "next")}`;
  }
  expect(seen).toEqual(new Set(users));
});
