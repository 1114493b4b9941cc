import { findOne } from "../../../store/find-one.ts";
import type { Row } from "../../../store/schema.ts";
import { linkedAccounts } from "../../../identity/users/linked-accounts.ts";
import { acceptedMethods } from "../../available-methods.ts";
import type { Interaction } from "../../interaction.ts";

/**
 * Returns the identity provider with which a user who agreed to a link signs in to the existing account, if the account
 * has no other authentication method that the interaction accepts. The account of a user consists of all linked accounts.
 */
export async function providerOfExistingAccount(interaction: Interaction): Promise<Row<"connections"> | undefined> {
  const { pending_link: pending } = interaction.progress;
  if (pending?.agreed !== true || pending.account_id === undefined) return undefined;
  const { connections, data } = interaction.tenant;
  const user = await findOne(data.users, { user_id: pending.account_id, linked_to: "" });
  if (user === undefined) return undefined;
  const linked = user.linked_count === 0 ? [] : await linkedAccounts(data, [user.user_id]);
  const providers: Row<"connections">[] = [];
  for (const name of new Set([user, ...linked].map(({ connection }) => connection))) {
    const connection = await connections.named(name);
    const methods = connection === undefined ? [] : await acceptedMethods(interaction, connection);
    if (methods.some(({ method }) => method !== "federated")) return undefined;
    if (connection !== undefined && methods.length > 0) providers.push(connection);
  }
  return providers[0];
}
