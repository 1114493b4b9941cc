import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { mysqlAt, ownMysql } from "../../packages/kysely/test/servers.ts";

const database = await ownMysql("contract");
const open = during(() => mysqlAt(database.url), database.drop);

answersLikeCore(open, 5);
keepsTheContract(open, () => mysqlAt(database.url));
