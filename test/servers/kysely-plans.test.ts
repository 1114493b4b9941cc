import { describe, expect, test } from "vitest";
import { during } from "../../packages/kysely/test/databases.ts";
import { made } from "../../packages/kysely/test/plan-rows.ts";
import { listsUseIndexes } from "../../packages/kysely/test/plans.ts";
import { recordingMysql, recordingPostgres } from "../../packages/kysely/test/recording.ts";
import { untypedCollection } from "../../packages/kysely/test/rows.ts";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";

const tables = Object.keys(made)
  .map((name) => `postern_${name}`)
  .join(", ");

describe("PostgreSQL", async () => {
  const database = await ownPostgres("plans");
  const pool = postgresPool(database.url);
  const { adapter, recorded, prepared } = recordingPostgres(pool);
  const open = during(() => adapter, database.drop);
  listsUseIndexes({
    open,
    recorded: () => recorded,
    explain: async (sql, values) => {
      const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${sql}`, [...values]);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    analyze: () => pool.query(`vacuum analyze ${tables}`),
    faults: /Sort|Seq Scan|Bitmap/,
    scan: /Seq Scan/,
    combinesIndexes: true,
    // A scan of ten thousand tenants costs about as much as a scan of their index.
    counting: /Index Only Scan using postern_users_by_linked_to_deleting_at|Scan on postern_tenants/,
  });

  test("prepares no statement with a list of values, so that its plan is made for the values", async () => {
    const sessions = untypedCollection(open(), "sessions");
    const before = prepared();
    await sessions.find({ where: { tenant_id: "t", user_id: { in: ["u", "v"] } }, limit: 10 });
    await sessions.delete({ tenant_id: "t", user_id: "u", id: { in: ["1", "2"] } });
    expect(prepared()).toBe(before);
    await sessions.find({ where: { tenant_id: "t", user_id: { in: ["u"] } }, limit: 10 });
    expect(prepared()).toBe(before + 1);
  });
});

describe("MySQL or MariaDB", async () => {
  const database = await ownMysql("plans");
  const pool = mysqlPool(database.url);
  const { adapter, recorded } = recordingMysql(pool);
  listsUseIndexes({
    open: during(() => adapter, database.drop),
    recorded: () => recorded,
    explain: async (sql, values) => {
      const [rows] = await pool.promise().query(`explain ${sql}`, [...values]);
      // `possible_keys` names indexes that the plan does not use.
      return JSON.stringify(rows, (name, value: unknown) => (name === "possible_keys" ? undefined : value));
    },
    analyze: () => pool.promise().query(`analyze table ${tables}`),
    faults: /filesort|temporary|"type":"ALL"/,
    scan: /"type":"(ALL|index)"/,
    combinesIndexes: false,
  });
});
