import { keepsTheContract, keepsTheContractWithin } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { beginMysql, mysqlAt, mysqlPool, ownMysql, withSignals } from "../../packages/kysely/test/servers.ts";
import { createMysqlAdapter } from "@postern/kysely";

const database = await ownMysql("contract");
const pool = mysqlPool(database.url);
const data = createMysqlAdapter({ pool, closes: true });
const open = during(() => data, database.drop);

answersLikeCore(open, 5);
// Postern passes an abort signal with each call, and so does this test.
keepsTheContract(
  () => withSignals(open()),
  () => mysqlAt(database.url),
);
keepsTheContractWithin(async () => {
  const transaction = await beginMysql(pool, data, "callbacks");
  return { data: transaction.data, rollBack: () => transaction.end("rollback") };
});
