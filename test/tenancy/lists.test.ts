import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let main: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  main = await managerOf(service);
});

describe("a list of tenants", () => {
  const ids = (query: string) => main("GET", `/tenants${query}`).then((response) => list(response, "tenants").map(({ id }) => id));

  test("starts with page 1, has fifty items per page by default, and uses the envelope of the tenants API", async () => {
    const { tenants } = service.data.collections;
    const [other] = await tenants.find({ where: { id: "other" }, limit: 1 });
    if (other === undefined) throw new Error("no tenant to copy");
    for (let i = 0; i < 108; i++)
      await tenants.insert([{ ...other, id: `t${String(i).padStart(3, "0")}`, name: `N${i}`, created_at: other.created_at + 1 + i }]);
    const page = async (query: string): Promise<readonly unknown[]> => {
      const { tenants: rows, ...envelope } = jsonBody(await main("GET", `/tenants${query}`));
      return [Array.isArray(rows) ? rows.length : rows, envelope];
    };
    expect(await page("")).toEqual([50, { total: 110, page: 1, per_page: 50 }]);
    expect(await page("?page=3")).toEqual([10, { total: 110, page: 3, per_page: 50 }]);
    expect(await page("?page=4")).toEqual([0, { total: 110, page: 4, per_page: 50 }]);
    expect(await page("?per_page=100&include_totals=true")).toEqual([100, { total: 110, page: 1, per_page: 100 }]);
    expect(await ids("?page=2&per_page=3")).toEqual(["t001", "t002", "t003"]);
    expect(await ids("?per_page=2&sort=created_at:-1")).toEqual(["t107", "t106"]);
    expect(await ids("?per_page=2&sort=name:-1")).toEqual(["other", "main"]);
    expect(await ids("?per_page=2&sort=id:1")).toEqual(["main", "other"]);
    expect(await ids("?q=id:t10*&per_page=3")).toEqual(["t100", "t101", "t102"]);
    expect(await ids("?q=N42")).toEqual(["t042"]);
  });

  test.each([
    ["page", "page=0"],
    ["page", "page=-1"],
    ["page", "page=x"],
    ["page", "page=1.5"],
    ["page", "page=99999999"],
    ["per_page", "per_page=0"],
    ["per_page", "per_page=101"],
    ["per_page", "per_page="],
    ["sort", "sort=settings:1"],
    ["sort", "sort=name:2"],
    ["organization_id", "q=organization_id:org_1"],
    ["q", "q=(id:a"],
    ["take", "take=5"],
    ["from", "from=abc"],
    ["nonsense", "nonsense=1"],
  ])("rejects an invalid %s (?%s)", async (expectedText, query) => {
    expectError(await main("GET", `/tenants?${query}`), 400, "invalid_request", expectedText);
  });

  test("filters operations by kind and status, and rejects unknown values", async () => {
    await main.create("/tenants", { id: "acme", name: "Acme" });
    jsonBody(await main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201);
    const kinds = async (query: string) =>
      list(await main("GET", `/tenants/acme/operations${query}`), "operations").map(
        ({ kind, status }) => `${String(kind)} ${String(status)}`,
      );
    expect(await kinds("")).toEqual(["upgrade succeeded", "provision succeeded"]);
    expect(await kinds("?kind=upgrade")).toEqual(["upgrade succeeded"]);
    expect(await kinds("?kind=provision&status=succeeded")).toEqual(["provision succeeded"]);
    expect(await kinds("?status=failed")).toEqual([]);
    expect(await kinds("?page=2&per_page=1")).toEqual(["provision succeeded"]);
    for (const query of ["kind=nonsense", "status=done", "page=0", "per_page=101", "sort=kind:1", "kind="])
      expectError(await main("GET", `/tenants/acme/operations?${query}`), 400, "invalid_request", query.split("=", 1)[0] ?? "");
  });
});
