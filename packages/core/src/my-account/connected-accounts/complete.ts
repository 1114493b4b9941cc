import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { findConnected } from "../../login/upstream/find-connected.ts";
import { linkIdentity } from "../../login/upstream/link-own-account.ts";
import { meRoute } from "../me-route.ts";
import { requireConnect, requireLinkable } from "./require-connect.ts";
import { connectedAccountSchema, toConnectedAccount } from "./shape.ts";

const bodySchema = z
  .object({
    auth_session: z.string().max(255),
    connect_code: z.string().min(1).max(255),
    redirect_uri: z.string().max(2048).meta({ description: "The same as in the request that started the link" }),
    code_verifier: z.string().min(43).max(128),
  })
  .meta({ id: "CompleteMyConnectedAccount" });

/** Links the account with which the user signed in at an identity provider. */
export const completeConnectedAccount = meRoute({
  method: "POST",
  path: "/me/v1/connected-accounts/complete",
  summary: "Link the account with which the user signed in at an identity provider",
  description:
    "Requires the user and the client that started the link. The conditions for starting it must still be met. A code is valid once. The user is notified.",
  scopes: ["create:me:connected_accounts"],
  body: bodySchema,
  responses: {
    201: connectedAccountSchema,
    400: {
      error:
        "invalid_request: the code is invalid, used or expired, or the connection is no longer offered; access_denied: changes are paused",
    },
    401: { error: "invalid_token: the token is not valid, or the user must authenticate again" },
    403: { error: "insufficient_scope, forbidden" },
    409: { error: "conflict: the account belongs to another user or is a separate user, or the user was blocked or deleted" },
  },
})(async ({ body }, context) => {
  const { tenant, client, mfaToken } = context;
  const { user } = mfaToken;
  await requireConnect(context);
  const connected = await findConnected(tenant, { user, client }, body);
  if (connected === undefined) throw invalidCode();
  const { connectionId, identity } = connected;
  const connection = await requireLinkable(context, ({ id }) => id === connectionId);
  if (!(await connected.take())) throw invalidCode();
  const account = await linkIdentity(tenant, { user, connection, client }, identity);
  if (account === "refused") throw new PosternError("conflict", "The account belongs to another user, or is a separate user.");
  if (account === "outdated")
    throw new PosternError("conflict", "The user was blocked or linked by another request, or the deletion is pending.");
  return new Reply(toConnectedAccount(account, identity.tokens), { status: 201 });
});

function invalidCode(): PosternError {
  return new PosternError("invalid_request", "The code is invalid, already used or expired. Start again.");
}
