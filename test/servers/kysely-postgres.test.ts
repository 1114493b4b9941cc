import { keepsTheContract, keepsTheContractWithin } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { beginPostgres, ownPostgres, postgresAt, postgresPool, withSignals } from "../../packages/kysely/test/servers.ts";
import { createPostgresAdapter } from "@postern/kysely";

const database = await ownPostgres("contract");
const pool = postgresPool(database.url);
const data = createPostgresAdapter({ pool });
const open = during(
  () => data,
  async () => {
    await pool.end();
    await database.drop();
  },
);

answersLikeCore(open, 5);
// Postern passes an abort signal with each call, and so does this test.
keepsTheContract(
  () => withSignals(open()),
  () => postgresAt(database.url),
);
keepsTheContractWithin(async () => {
  const transaction = await beginPostgres(pool, data);
  return { data: transaction.data, rollBack: () => transaction.end("rollback") };
});
