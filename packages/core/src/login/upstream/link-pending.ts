import type { Row } from "../../data/schema.ts";
import { linkUpstream } from "../../domain/users/link-upstream.ts";
import { isPosternError } from "../../errors.ts";
import { beginSession, type BegunSession } from "../begin-session.ts";
import type { Interaction } from "../interaction.ts";

/**
 * Links who somebody is at an identity provider with the account of ours that they just signed in to, where they were asked to and said yes: both were proved in this login, by this browser.
 * @returns a session that began at the provider, where the client wants one; undefined where the one that was begun is as good.
 */
export async function linkPending(interaction: Interaction, user: Row<"users">): Promise<BegunSession | undefined> {
  const { tenant, client, request, progress } = interaction;
  const { pending_link: pending } = progress;
  if (pending?.agreed !== true || pending.profile.email?.toLowerCase() !== user.email.toLowerCase()) return undefined;
  const connection = (await tenant.connections()).find(({ id }) => id === pending.connection_id);
  if (connection === undefined) return undefined;
  const { environment, data } = tenant;
  const { id, name, strategy } = connection;
  const parties = {
    client: { client_id: client.record.client_id, name: client.record.name },
    connection: { id, name, strategy },
    user: { user_id: user.user_id, name: user.name },
  };
  try {
    const account = await linkUpstream(environment, data, connection, pending.profile, user);
    await tenant.audit({ type: "w", description: "Linked to the account that the person signed in to.", ...parties });
    return request.connection === name
      ? beginSession(interaction, { method: "federated", userId: user.user_id, account, connection })
      : undefined;
  } catch (error) {
    if (!isPosternError(error) || error.code !== "conflict") throw error;
    await tenant.audit({ type: "w", description: `Not linked: ${error.message}`, ...parties });
    return undefined;
  }
}
