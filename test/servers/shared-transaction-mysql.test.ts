import { createMysqlAdapter } from "@postern/kysely";
import { beginMysql, mysqlPool, ownMysql } from "../../packages/kysely/test/servers.ts";
import { sharesTransactions } from "./support/shared-transaction.ts";

const database = await ownMysql("transactions");
const pool = mysqlPool(database.url, 2);
const data = createMysqlAdapter({ pool });

sharesTransactions({
  data,
  begin: () => beginMysql(pool, data, "promises"),
  async query(text) {
    const [rows] = await pool.promise().query(text);
    return Array.isArray(rows) ? rows : [];
  },
  tables: "select table_name as name from information_schema.tables where table_schema = database()",
  async close() {
    await pool.promise().end();
    await database.drop();
  },
});
