import type { Operation } from "./operation.ts";
import { clientCredentialsEs256, clientCredentialsRs256 } from "./operations/client-credentials.ts";
import { createUser } from "./operations/create-user.ts";
import { discovery, jwks } from "./operations/documents.ts";
import { listUsers, listUsersWithTotals } from "./operations/list-users.ts";
import { userById } from "./operations/user-by-id.ts";

/** Every operation, in the order of the table. What fills the database comes last. */
export const operations: readonly Operation[] = [
  clientCredentialsRs256,
  clientCredentialsEs256,
  discovery,
  jwks,
  userById,
  listUsers,
  listUsersWithTotals,
  createUser,
];
