import { describe, expect, it } from "vitest";
import { schema } from "@postern/core/adapter";
import { sqlite } from "./dialects/sqlite.ts";
import { SqlTable } from "./table.ts";

describe("SqlTable.selection", () => {
  const table = new SqlTable(schema.users, sqlite);

  it("is built once for a list of fields, also if each query passes a new list", () => {
    expect(table.selection(["user_id", "email", "tenant_id"])).toBe(table.selection(["user_id", "email", "tenant_id"]));
  });

  it("has another key for other fields and for another order", () => {
    const keys = [table.all, table.selection(["user_id", "email"]), table.selection(["email", "user_id"]), table.selection(["email"])];
    expect(new Set(keys.map(({ key }) => key)).size).toBe(4);
  });

  it("rejects an unknown field each time", () => {
    for (let i = 0; i < 2; i++) expect(() => table.selection(["user_id", "nickname; drop table"])).toThrow("has no column");
  });
});
