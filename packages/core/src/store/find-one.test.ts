import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import type { Find } from "./contract.ts";
import { findOne } from "./find-one.ts";
import type { Row } from "./schema.ts";
import { tenantData } from "./tenant-data.ts";

type Member = Row<"organization_members">;

test("returns a matching row, and asks the store for one row with the fields that the caller needs", async () => {
  const { organization_members: members } = tenantData(createMemoryAdapter({ strict: true }).collections, "a");
  const rows = ["usr_1", "usr_2"].map((id) => ({ organization_id: "org_1", user_id: id, created_at: 1 }));
  await members.insert(rows);
  const queries: Find<Member>[] = [];
  const recorded: typeof members = {
    ...members,
    find: async (query) => {
      queries.push(query);
      return members.find(query);
    },
  };
  expect(await findOne(recorded, { user_id: "usr_2" })).toEqual(rows[1]);
  expect(await findOne(recorded, { organization_id: "org_1" }, ["user_id"])).toHaveProperty("user_id");
  expect(await findOne(recorded, { user_id: "usr_3" })).toBeUndefined();
  expect(queries).toEqual([
    { where: { user_id: "usr_2" }, limit: 1 },
    { where: { organization_id: "org_1" }, fields: ["user_id"], limit: 1 },
    { where: { user_id: "usr_3" }, limit: 1 },
  ]);
});
