import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { ownPostgres, postgresAt } from "../../packages/kysely/test/servers.ts";

const database = await ownPostgres("contract");
const open = during(() => postgresAt(database.url), database.drop);

answersLikeCore(open, 5);
keepsTheContract(open, () => postgresAt(database.url));
