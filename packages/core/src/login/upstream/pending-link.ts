import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import type { ProviderIdentity, StoredIdentity } from "../../identity/providers/provider-requests.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { storesTokens, storeTokens, openTokens, sealTokens } from "../../identity/providers/upstream-tokens.ts";
import { isLinkRefusal, linkUpstream } from "../../identity/users/link-upstream.ts";
import type { FactorRecord } from "../authentication-record.ts";
import { startSession, type StartedSession } from "../start-session.ts";
import { organizationIdOf, type Interaction } from "../interaction.ts";
import type { PendingLink } from "../steps/link-account/progress.ts";
import { notifyLinkedAccount } from "./notify-linked-account.ts";

/**
 * Returns an identity at a provider that is to be linked with an existing account: the user's profile and tokens at the
 * provider. In a sign-in, the link stays pending until the user proves that they own the account with the same email address. If a
 * client connects the account, it stays pending until the client completes the link.
 * @param accountId the existing account, if the sign-in found one account with the email address.
 */
export async function pendingLink(
  interaction: Interaction,
  connection: Row<"connections">,
  { profile, tokens }: StoredIdentity,
  accountId: string | undefined,
  authTime: AuthTime,
): Promise<PendingLink> {
  const kept =
    tokens !== undefined && storesTokens(connection)
      ? await sealTokens(interaction.tenant, placeIn(interaction, connection.id), tokens)
      : undefined;
  return {
    connection_id: connection.id,
    profile,
    ...(accountId !== undefined && { account_id: accountId }),
    ...(kept && { tokens: kept.tokens }),
    auth_time: authTime,
  };
}

/** Returns the encryption context for tokens that belong to no account yet: the login session and the connection. */
function placeIn({ login }: Pick<Interaction, "login">, connectionId: string): string {
  return `pending|${login?.id}|${connectionId}`;
}

/**
 * Returns the provider's tokens that are stored with an account link which its user has not confirmed yet. Returns
 * undefined if the link has no tokens, or if no key can decrypt them any more; the next login at the provider stores new tokens.
 */
export async function tokensOfPending(
  interaction: Pick<Interaction, "tenant" | "login">,
  pending: PendingLink,
): Promise<ProviderIdentity["tokens"] | undefined> {
  if (pending.tokens === undefined) return undefined;
  const sealed = { account_id: placeIn(interaction, pending.connection_id), tokens: pending.tokens };
  return openTokens(interaction.tenant, sealed).catch(() => undefined);
}

/**
 * Links the pending profile from an identity provider with the existing account that the user just signed in to, if the
 * user agreed to the link. The user authenticated at both in the same login session, with the same browser.
 * @param factors the second factors that the user passed in the sign-in to the existing account.
 * @returns a session for the provider's connection, if the client requires that connection; undefined if the session
 * from the sign-in to the existing account is sufficient.
 */
export async function linkPending(
  interaction: Interaction,
  user: Row<"users">,
  factors: readonly FactorRecord[],
): Promise<StartedSession | undefined> {
  const { tenant, client, request, progress } = interaction;
  const { pending_link: pending } = progress;
  if (pending?.agreed !== true || pending.profile.email?.toLowerCase() !== user.email.toLowerCase()) return undefined;
  const { connections } = tenant;
  const connection = await connections.byId(pending.connection_id);
  // The connection may have been disabled for the client or the organization while the user signed in to the existing
  // account.
  const isOffered = connection !== undefined && (await connections.offers(client, connection.id, organizationIdOf(interaction)));
  if (!isOffered) return undefined;
  const account = await linkAccounts(interaction, { connection, pending, user, proof: "that the user signed in to" });
  return account !== undefined && request.connection === connection.name
    ? startSession(interaction, { method: "federated", primary: user, account, connection, authTime: pending.auth_time }, factors)
    : undefined;
}

/** The accounts to link, and how the user proved the ownership of the existing one. */
interface ProvedLink {
  readonly connection: Row<"connections">;
  readonly pending: PendingLink;
  readonly user: Row<"users">;
  /** For the audit log. Completes a sentence that starts with "Linked to the account". */
  readonly proof: string;
}

/**
 * Links the provider's profile with an account whose ownership the user proved.
 * @returns the provider's account, now linked; undefined if it already belongs to another user, or if the existing
 * account changed during the request.
 */
export async function linkAccounts(
  interaction: Interaction,
  { connection, pending, user, proof }: ProvedLink,
): Promise<Row<"users"> | undefined> {
  const { tenant, client } = interaction;
  const parties = {
    ...auditClient(client),
    ...auditConnection(connection),
    ...auditUser(user),
  };
  try {
    const account = await linkUpstream(tenant, connection, pending.profile, user);
    const tokens = await tokensOfPending(interaction, pending);
    if (tokens !== undefined) await storeTokens(tenant, account.user_id, tokens);
    await tenant.audit({ type: "w", description: `Linked to the account ${proof}.`, ...parties });
    notifyLinkedAccount(interaction, connection, user);
    return account;
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    await tenant.audit({ type: "w", description: `Not linked: ${error.message}`, ...parties });
    return undefined;
  }
}
