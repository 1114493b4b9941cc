import type { TenantContext } from "../context.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Row } from "../store/schema.ts";
import { withdrawConsents } from "./consents.ts";
import { isExpired } from "./refresh-tokens/refresh-token.ts";
import { revokeTokens } from "./refresh-tokens/revoke-all.ts";

/** The maximum number of consents, and of refresh tokens, that are read. */
const maximum = 100;

/** The access of a client to a user's account. */
export interface OwnGrant {
  readonly clientId: string;
  /** The scopes that the user or the tenant granted, sorted. */
  readonly scope: readonly string[];
  /** When the client first got access that it still has, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Returns the clients that have the user's consent or a valid refresh token of the user. The newest grant comes first.
 * Sends two queries in parallel.
 * @param clientId returns the grant of this client only. Default: the grants of all clients.
 */
export async function findOwnGrants(
  context: Pick<TenantContext, "data" | "now">,
  userId: string,
  clientId?: string,
): Promise<readonly OwnGrant[]> {
  const { data } = context;
  const where = { user_id: userId, ...(clientId !== undefined && { client_id: clientId }) };
  const orderBy = { fields: ["created_at", "id"], direction: "desc" } as const;
  const [consents, tokens] = await Promise.all([
    data.consents.find({ where, orderBy, limit: maximum }),
    data.refresh_tokens.find({ where: { ...where, revoked_at: null, rotated_at: null }, orderBy, limit: maximum }),
  ]);
  const now = context.now();
  const active = tokens.filter((token) => !isExpired(token, now));
  const found = Map.groupBy([...consents, ...active], ({ client_id: id }) => id);
  return [...found]
    .map(([clientId, rows]) => ({
      clientId,
      scope: [...new Set(rows.flatMap(({ scope }) => scope))].toSorted(),
      since: Math.min(...rows.map(({ created_at: at }) => at)),
    }))
    .toSorted((one, other) => other.since - one.since);
}

/**
 * Ends the access of a client to a user's account: withdraws the user's consents, and revokes the client's refresh tokens
 * and the access tokens that were issued with them. Safe to repeat after a crash.
 */
export async function removeOwnGrant(
  tenant: TenantContext,
  user: Pick<Row<"users">, "user_id" | "name">,
  { clientId, client }: { readonly clientId: string; readonly client: RegisteredClient | undefined },
): Promise<void> {
  await withdrawConsents(tenant, { user_id: user.user_id, client_id: clientId });
  await tenant.data.authorization_codes.delete({ user_id: user.user_id, client_id: clientId });
  await tenant.data.device_codes.delete({ user_id: user.user_id, client_id: clientId });
  await revokeTokens(tenant, { user_id: user.user_id, client_id: clientId });
  await tenant.audit({
    type: "srrt",
    description: "The user removed the access of an application.",
    ...auditClient(client),
    ...auditUser(user),
    details: { client_id: clientId },
  });
}
