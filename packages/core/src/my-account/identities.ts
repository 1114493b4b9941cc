import * as z from "zod";
import { linkedAccounts } from "../identity/users/linked-accounts.ts";
import { identitySchema, toLinkedIdentities } from "../model/users/users.ts";
import { meRoute } from "./me-route.ts";

/** Lists the accounts of the user, without the tokens of providers. An addition of Postern. */
export const listMyIdentities = meRoute({
  method: "GET",
  path: "/me/v1/identities",
  summary: "List the accounts of the user: the primary account and the linked ones",
  scopes: ["read:me:identities"],
  responses: {
    200: z.strictObject({ identities: z.array(identitySchema) }),
    401: { error: "invalid_token" },
    403: { error: "insufficient_scope" },
  },
})(async (_, { tenant, mfaToken: { user } }) => {
  const linked = user.linked_count === 0 ? [] : await linkedAccounts(tenant.data, [user.user_id]);
  return { identities: toLinkedIdentities(user, linked) };
});
