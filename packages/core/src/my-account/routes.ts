import type { Route } from "../http/route.ts";
import { createMyAuthenticationMethod } from "./authentication-methods/create.ts";
import { myAuthenticationMethods } from "./authentication-methods/read.ts";
import { verifyMyAuthenticationMethod } from "./authentication-methods/verify.ts";
import { myConnectedAccounts } from "./connected-accounts/accounts.ts";
import { completeConnectedAccount } from "./connected-accounts/complete.ts";
import { startConnectedAccount } from "./connected-accounts/connect.ts";
import { listMyFactors } from "./factors.ts";
import { myGrants } from "./grants.ts";
import { listMyIdentities } from "./identities.ts";
import { listMyOrganizations } from "./organizations.ts";
import { myProfile } from "./profile.ts";
import { mySessions } from "./sessions.ts";

/** Every route of the My Account API. */
export const myAccountRoutes: readonly Route[] = [
  listMyFactors,
  ...myAuthenticationMethods,
  createMyAuthenticationMethod,
  verifyMyAuthenticationMethod,
  ...myProfile,
  ...mySessions,
  ...myGrants,
  ...myConnectedAccounts,
  startConnectedAccount,
  completeConnectedAccount,
  listMyIdentities,
  listMyOrganizations,
];
