import { describe } from "vitest";
import { during } from "../../packages/kysely/test/databases.ts";
import { pagesUseIndexes } from "../../packages/kysely/test/plans.ts";
import { recordingMysql, recordingPostgres } from "../../packages/kysely/test/recording.ts";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";

describe("PostgreSQL", async () => {
  const database = await ownPostgres("plans");
  const pool = postgresPool(database.url);
  const { adapter, recorded } = recordingPostgres(pool);
  pagesUseIndexes(
    during(() => adapter, database.drop),
    () => recorded,
    async (sql, values) => {
      const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${sql}`, [...values]);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    /Sort|Seq Scan|Bitmap/,
    {
      counting: /Index Only Scan using postern_users_by_linked_to_deleting_at/,
      after: () => pool.query("vacuum analyze postern_users"),
    },
  );
});

describe("MySQL or MariaDB", async () => {
  const database = await ownMysql("plans");
  const pool = mysqlPool(database.url);
  const { adapter, recorded } = recordingMysql(pool);
  pagesUseIndexes(
    during(() => adapter, database.drop),
    () => recorded,
    async (sql, values) => {
      const [rows] = await pool.promise().query(`explain ${sql}`, [...values]);
      return JSON.stringify(rows);
    },
    /filesort|temporary|"type":"ALL"/,
    { after: () => pool.promise().query("analyze table postern_users") },
  );
});
