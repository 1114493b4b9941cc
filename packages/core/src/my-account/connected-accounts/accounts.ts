import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { tokensOf } from "../../identity/providers/upstream-tokens.ts";
import { linkedAccounts } from "../../identity/users/linked-accounts.ts";
import { unlinkOwnAccount } from "../../identity/users/unlink-own-account.ts";
import { availableMethods } from "../../login/available-methods.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { meRoute, type MeContext } from "../me-route.ts";
import { requireChange } from "../require-change.ts";
import { requireSection } from "../require-section.ts";
import { connectedAccountSchema, toConnectedAccount } from "./shape.ts";

const path = "/me/v1/connected-accounts/accounts";
const rejected = { 401: { error: "invalid_token" }, 403: { error: "insufficient_scope, forbidden" } } as const;

/**
 * The routes for the accounts at identity providers that are linked to the account of the user, with Auth0's paths and shapes.
 * They never contain a token of a provider.
 */
export const myConnectedAccounts = [
  meRoute({
    method: "GET",
    path,
    summary: "List the accounts at identity providers that are linked to the account of the user",
    description: "Returns all accounts in one response.",
    scopes: ["read:me:connected_accounts"],
    query: z.object({ connection: z.string().max(128).exactOptional() }),
    responses: { 200: z.strictObject({ accounts: z.array(connectedAccountSchema) }), ...rejected },
  })(async ({ query }, { tenant, mfaToken }) => {
    const accounts = (await connectedTo(tenant, mfaToken.user)).filter(
      ({ connection }) => query.connection === undefined || connection === query.connection,
    );
    // Tokens that no key decrypts must not hide the account, which the user may want to unlink.
    const tokens = await tokensOf(tenant, accounts.map(idOf), (accountId, error) =>
      tenant.host.logger.log({ level: "warn", event: "unreadable_seal", collection: "upstream_tokens", account_id: accountId, error }),
    );
    return { accounts: accounts.map((account) => toConnectedAccount(account, tokens.get(account.user_id))) };
  }),
  meRoute({
    method: "DELETE",
    path: `${path}/:account_id`,
    summary: "Unlink an account at an identity provider from the account of the user",
    description:
      "Requires that the user authenticated within the last 15 minutes, and that the tenant shows the section `linked_accounts` of the account page. The account becomes a separate user.",
    scopes: ["delete:me:connected_accounts"],
    responses: {
      204: null,
      ...rejected,
      404: { error: "not_found: no such account is linked" },
      409: { error: "conflict: the user could not sign in any more, factors belong to the account, or the user was blocked or deleted" },
    },
  })(({ params }, context) => disconnect(context, params.account_id)),
];

async function disconnect(context: MeContext, accountId: string): Promise<void> {
  const { tenant, client, mfaToken } = context;
  const { user } = mfaToken;
  await requireChange(context);
  requireSection(tenant, "linked_accounts");
  if (!(await connectedTo(tenant, user)).some((account) => idOf(account) === accountId)) throw notLinked();
  const methods = await availableMethods(tenant, client, { connection: user.connection });
  switch (await unlinkOwnAccount(tenant, { user, methods, client }, accountId)) {
    case "unlinked":
      return;
    case "absent":
      throw notLinked();
    case "outdated":
      throw new PosternError("conflict", "The user was blocked or linked by another request, or the deletion is pending.");
    case "last":
      throw new PosternError("conflict", "The user could not sign in without this account.");
    case "has-factors":
      throw new PosternError("conflict", "Factors belong to this account: remove them first.");
  }
}

const notLinked = (): PosternError => new PosternError("not_found", "No such account is linked.");
const idOf = ({ user_id: id }: Row<"users">): string => id;

/** Returns the accounts of identity providers that are linked to a user. */
async function connectedTo(
  { data }: RequestTenant,
  { user_id: userId, linked_count: count }: Row<"users">,
): Promise<readonly Row<"users">[]> {
  const linked = count === 0 ? [] : await linkedAccounts(data, [userId]);
  return linked.filter(({ subject_key: subject }) => subject !== null);
}
