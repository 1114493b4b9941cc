import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import type { Row } from "../../store/schema.ts";
import { liveSubject } from "../../tokens/subject.ts";
import { unlinkUser } from "../../identity/users/account-access.ts";
import { findLinked, linkUsers } from "../../identity/users/link-users.ts";
import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import { identitySchema, linkUserSchema, toLinkedIdentities } from "../../model/users/users.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import { readIdTokenHint, type IdTokenHint } from "../../tenants/callers/id-token-hint.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { grantsScopes, requireRightsOfUser } from "../authority.ts";
import { findPrimary, findUsers } from "./find-user.ts";
import { administratorLink, ownLink, reportUnconfirmedLink } from "./link-permission.ts";
import { requireOwnUser } from "./own-user.ts";

const scopes = ["update:users", "update:current_user_identities"] as const;
const identitiesSchema = z.array(identitySchema);
const missing = { 404: "inexistent_user" } as const;

const link = route({
  method: "POST",
  path: "/api/v2/users/:id/identities",
  operation: "users.identities.link",
  summary: "Link an account to a user",
  description:
    "The roles, permissions, memberships and sessions of the linked account are deleted, not merged. Its second factors and passkeys count for the user, and for the " +
    "account again after it was unlinked; its recovery code is valid only then. With only `update:current_user_identities`, an account that has a second factor or a " +
    "passkey requires a token that shows one, used within the last 15 minutes: the access token for the user, and `link_with` for the other account. " +
    "With `update:users`, the caller must hold every Management API scope that the user or the account has.",
  scopes,
  furtherScopes: [grantsScopes],
  body: linkUserSchema,
  responses: { 201: identitiesSchema, ...missing, 409: { error: "conflict" } },
})(async ({ params, body }, context) => {
  const { tenant, caller } = context;
  requireOwnUser(params.id, context, "update:users");
  const administers = caller.scopes.has("update:users");
  // A caller who may change only their own account must prove that they control the other account.
  if (!("link_with" in body) && !administers) {
    throw new PosternError("forbidden", "linking an account to the caller's own user requires 'link_with'");
  }
  const primary = await findPrimary(tenant, params.id);
  const { account, proof } =
    "link_with" in body ? await provenAccount(context, body.link_with) : { account: await namedAccount(tenant, body) };
  const permission = administers ? administratorLink : ownLink(context, proof);
  if (administers) for (const { user_id: id } of [primary, account]) await requireRightsOfUser(context, id);
  await linkUsers(tenant, primary, account, permission);
  if (administers) await reportUnconfirmedLink(context, primary, account);
  return identitiesOf(tenant, primary);
});

const unlink = route({
  method: "DELETE",
  path: "/api/v2/users/:id/identities/:provider/:user_id",
  operation: "users.identities.unlink",
  summary: "Unlink an account from a user",
  description:
    "The second factors and passkeys that were added to the account count for it alone again. With only `update:current_user_identities`, a user who has a second factor " +
    "or a passkey needs an access token that shows one, used within the last 15 minutes.",
  scopes,
  responses: { 200: identitiesSchema, ...missing },
})(async ({ params }, context) => {
  const { tenant, caller } = context;
  requireOwnUser(params.id, context, "update:users");
  const primary = await findPrimary(tenant, params.id);
  if (!caller.scopes.has("update:users")) await ownLink(context, undefined).primary(primary);
  const account = findLinked(await linkedAccounts(tenant.data, [primary.user_id]), params.provider, params.user_id);
  if (account === undefined || !(await unlinkUser(tenant, primary, account.user_id))) {
    throw new PosternError("not_found", "the user has no such linked account", { errorCode: "inexistent_user" });
  }
  return identitiesOf(tenant, primary);
});

export const identities = [link, unlink];

async function namedAccount(
  tenant: RequestTenant,
  named: { readonly provider: string; readonly user_id: string; readonly connection_id?: string },
): Promise<Row<"users">> {
  const { provider, user_id: id, connection_id: connectionId } = named;
  const connections = await readAll(tenant.data.connections, ["created_at", "id"], {
    strategy: provider,
    ...(connectionId !== undefined && { id: connectionId }),
  });
  const candidates = [id, ...connections.map(({ name }) => `${name}|${id}`)];
  const found = await findUsers(tenant, candidates);
  const fitting = found.filter((user) => user.provider === provider && connections.some(({ name }) => name === user.connection));
  const account = fitting.find((user) => user.user_id === id) ?? fitting[0];
  if (account === undefined) throw new PosternError("not_found", "body: the account does not exist", { errorCode: "inexistent_user" });
  if (account.user_id !== id && fitting.length > 1) throw invalidBody("'user_id' matches several accounts: add 'connection_id'");
  return account;
}

/**
 * Returns the account that an ID token identifies. The token must be issued to the client that sends the request: a
 * user who signed in to another client did not agree to this link.
 */
async function provenAccount(
  { tenant, caller }: ManagementContext,
  idToken: string,
): Promise<{ readonly account: Row<"users">; readonly proof?: IdTokenHint }> {
  const proof = await readIdTokenHint(tenant, idToken);
  if (proof?.clientId !== caller.clientId || proof.expiresAt <= tenant.now()) {
    throw invalidBody("'link_with' is not a valid ID token that this tenant issued to the client of the access token");
  }
  // The ID token is no longer accepted after its session has ended, for example by a logout, a password change or the
  // deletion of the user.
  if ((await liveSubject(tenant.data, proof)) === undefined) throw invalidBody("'link_with' is an ID token from a session that has ended");
  return { account: await findPrimary(tenant, proof.userId), proof };
}

async function identitiesOf(tenant: RequestTenant, primary: Row<"users">): Promise<z.input<typeof identitiesSchema>> {
  return toLinkedIdentities(primary, await linkedAccounts(tenant.data, [primary.user_id]));
}
