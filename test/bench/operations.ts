import type { Operation } from "./operation.ts";
import { clientCredentialsEs256, clientCredentialsRs256 } from "./operations/client-credentials.ts";
import { codeExchange } from "./operations/code-exchange.ts";
import { userCreation } from "./operations/create-user.ts";
import { discoveryDocument, jwksDocument } from "./operations/documents.ts";
import { listUsers, listUsersWithTotals } from "./operations/list-users.ts";
import { tokenRefresh } from "./operations/refresh.ts";
import { userById } from "./operations/user-by-id.ts";
import { userinfoRequest } from "./operations/userinfo.ts";

/** Every operation in the order of the table. Operations that fill the database come last. */
export const benchOperations: readonly Operation[] = [
  clientCredentialsRs256,
  clientCredentialsEs256,
  codeExchange,
  tokenRefresh,
  userinfoRequest,
  discoveryDocument,
  jwksDocument,
  userById,
  listUsers,
  listUsersWithTotals,
  userCreation,
];
