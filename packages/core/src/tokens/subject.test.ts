import { expect, test } from "vitest";
import { defineAdapter } from "../store/contract.ts";
import { tenantData } from "../store/tenant-data.ts";
import { liveSubject } from "./subject.ts";

test("reads the user of a token without metadata, and the session without device data", async () => {
  const asked: { [collection: string]: readonly string[] | undefined } = {};
  const { collections } = defineAdapter(({ name }) => ({
    insert: async () => true,
    find: async ({ fields }) => {
      asked[name] = fields;
      return [];
    },
    count: async () => 0,
    update: async () => 0,
    delete: async () => 0,
  }));
  await liveSubject(tenantData(collections, "t"), { userId: "u", sessionId: "s", grantId: "g" });
  expect(asked["users"]).toContain("blocked");
  expect(asked["users"]).not.toContain("app_metadata");
  expect(asked["users"]).not.toContain("user_metadata");
  expect(asked["sessions"]).toContain("revoked_at");
  expect(asked["sessions"]).not.toContain("session_metadata");
  expect(asked["sessions"]).not.toContain("device");
});
