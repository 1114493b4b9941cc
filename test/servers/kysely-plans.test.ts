import { describe } from "vitest";
import { during } from "../../packages/kysely/test/databases.ts";
import { made } from "../../packages/kysely/test/plan-rows.ts";
import { listsUseIndexes } from "../../packages/kysely/test/plans.ts";
import { recordingMysql, recordingPostgres } from "../../packages/kysely/test/recording.ts";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";

const tables = Object.keys(made)
  .map((name) => `postern_${name}`)
  .join(", ");

describe("PostgreSQL", async () => {
  const database = await ownPostgres("plans");
  const pool = postgresPool(database.url);
  const { adapter, recorded } = recordingPostgres(pool);
  listsUseIndexes({
    open: during(() => adapter, database.drop),
    recorded: () => recorded,
    explain: async (sql, values) => {
      const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${sql}`, [...values]);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    analyze: () => pool.query(`vacuum analyze ${tables}`),
    faults: /Sort|Seq Scan|Bitmap/,
    // A scan of ten thousand tenants costs about as much as a scan of their index.
    counting: /Index Only Scan using postern_users_by_linked_to_deleting_at|Scan on postern_tenants/,
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
  });
});
