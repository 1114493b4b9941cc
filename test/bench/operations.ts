import type { Operation } from "./operation.ts";
import { clientCredentialsEs256, clientCredentialsRs256 } from "./operations/client-credentials.ts";
import { codeExchange } from "./operations/code-exchange.ts";
import { createUser } from "./operations/create-user.ts";
import { discovery, jwks } from "./operations/documents.ts";
import { listUsers, listUsersWithTotals } from "./operations/list-users.ts";
import { refresh } from "./operations/refresh.ts";
import { userById } from "./operations/user-by-id.ts";
import { userinfo } from "./operations/userinfo.ts";

/** Every operation in the order of the table. Operations that fill the database come last. */
export const operations: readonly Operation[] = [
  clientCredentialsRs256,
  clientCredentialsEs256,
  codeExchange,
  refresh,
  userinfo,
  discovery,
  jwks,
  userById,
  listUsers,
  listUsersWithTotals,
  createUser,
];
