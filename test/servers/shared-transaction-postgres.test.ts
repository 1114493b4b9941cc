import { createPostgresAdapter } from "@postern/kysely";
import { beginPostgres, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";
import { sharesTransactions } from "./support/shared-transaction.ts";

const database = await ownPostgres("transactions");
const pool = postgresPool(database.url, 2);
// PostgreSQL looks for a deadlock after a second. On a busy machine, the call that waits for it would reach its own deadline.
// Only a superuser may change that; another one keeps the second.
pool.on("connect", (client) => void client.query("set deadlock_timeout = '100ms'").catch(() => {}));
const data = createPostgresAdapter({ pool });

sharesTransactions({
  data,
  begin: () => beginPostgres(pool, data),
  query: async (text) => (await pool.query<object>(text)).rows,
  tables: "select table_name from information_schema.tables where table_schema = 'public'",
  async close() {
    await pool.end();
    await database.drop();
  },
});
