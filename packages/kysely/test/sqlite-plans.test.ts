import type { Collection } from "@postern/core/adapter";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { during } from "./databases.ts";
import { listsUseIndexes } from "./plans.ts";
import { recordingSqlite } from "./recording.ts";
import { untypedCollection } from "./rows.ts";

const database = new Database(":memory:");
const { adapter, recorded } = recordingSqlite(database);

listsUseIndexes({
  open: during(() => adapter),
  recorded: () => recorded,
  explain: async (sql, values) =>
    database
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(values)
      .map(({ detail }) => detail)
      .join("\n"),
  analyze: async () => database.exec("analyze"),
  faults: /TEMP B-TREE|SCAN/,
  scan: /SCAN/,
  combinesIndexes: true,
  sorts: /TEMP B-TREE|SCAN/,
  counting: /COVERING INDEX postern_(users_by_linked_to_deleting_at|tenants_by_ready_at_deleting_at)/,
});

/** Statements for which SQLite used another index, because it expects few rows in a tenant. */
const withoutStatistics: readonly (readonly [name: string, run: (collection: Collection) => Promise<unknown>, plan: string])[] = [
  [
    "organization_members",
    (members) =>
      members.find({
        where: { tenant_id: "t", user_id: "u" },
        orderBy: { fields: ["organization_id", "user_id"], direction: "asc" },
        limit: 50,
      }),
    "by_user_id (tenant_id=? AND user_id=?)",
  ],
  [
    "users",
    (users) =>
      users.find({
        where: { tenant_id: "t", linked_to: { in: ["u", "v"] }, deleting_at: null },
        orderBy: { fields: ["user_id"], direction: "asc" },
        limit: 50,
      }),
    "(tenant_id=? AND linked_to=?",
  ],
  ["trusted_browsers", (browsers) => browsers.delete({ tenant_id: "t", user_id: "u" }), "by_user_id (tenant_id=? AND user_id=?)"],
  [
    "sessions",
    (sessions) => sessions.delete({ tenant_id: "t", user_id: "u", id: { in: ["1", "2", "3"] } }),
    "sqlite_autoindex_postern_sessions_1 (tenant_id=? AND id=?)",
  ],
  [
    "users",
    (users) => users.count({ tenant_id: "t", linked_to: "", deleting_at: null }, { field: "email", op: "eq", value: "a" }),
    "(tenant_id=? AND linked_to=? AND email=?)",
  ],
  ["organizations", (organizations) => organizations.count({ tenant_id: "t", deleting_at: null }), "(deleting_at=? AND tenant_id=?)"],
];

test.each(withoutStatistics)("uses the right index of %s without statistics (%#)", async (name, run, plan) => {
  const empty = new Database(":memory:");
  const recording = recordingSqlite(empty);
  await recording.adapter.migrate();
  await run(untypedCollection(recording.adapter, name as "users"));
  const { sql, values } = recording.recorded.at(-1) ?? { sql: "", values: [] };
  const details = empty.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(values);
  expect(details.map(({ detail }) => detail).join("\n")).toContain(plan);
});
