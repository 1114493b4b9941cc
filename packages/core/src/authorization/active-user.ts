import { standingOf, type Standing, type TokenReference } from "../tokens/subject.ts";
import { PosternError } from "../errors.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** A person and their session, as they are now: neither is ever cached. */
export type LivePerson = Extract<Standing, { kind: "live" }>;

/**
 * Reads the person and the session behind a code or a token of a client.
 * @param ended what to say where the person or the session is gone.
 * @throws {PosternError} `invalid_grant` where person, session or grant is gone, or the client does not offer the connection any more by which the session began;
 * `access_denied` where the person is blocked.
 */
export async function livePerson(
  tenant: Tenant,
  client: Client,
  reference: TokenReference,
  ended = "the session has ended",
): Promise<LivePerson> {
  const standing = await standingOf(tenant.data, reference);
  if (standing.kind === "live") {
    const { session } = standing;
    if (session === undefined || (await tenant.connections.offers(client, session.connection_id))) return standing;
    // Another process may have enabled the connection since the settings were cached.
    const fresh = tenant.uncached();
    const current = await fresh.client(client.record.client_id);
    if (current !== undefined && (await fresh.connections.offers(current, session.connection_id))) return standing;
    throw new PosternError("invalid_grant", ended, { detail: "the client does not offer the connection of the session" });
  }
  // The vendor's browser SDK logs out locally on exactly these words.
  if (standing.kind === "blocked") throw new PosternError("access_denied", "user is blocked");
  throw new PosternError("invalid_grant", ended, { detail: "the person, the session or the grant is gone" });
}
