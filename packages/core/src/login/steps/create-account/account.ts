import type { Row } from "../../../data/schema.ts";
import { recordLogin } from "../../../domain/login/record-login.ts";
import { dropNewSession } from "../../../domain/sessions/session.ts";
import { createUser } from "../../../domain/users/create-user.ts";
import { isPosternError } from "../../../errors.ts";
import { beginSession, type BegunSession } from "../../begin-session.ts";
import type { Interaction } from "../../interaction.ts";

/**
 * Makes an account with a password. Its address is not verified: whoever made the invitation knows the ticket as well.
 * @returns undefined where somebody made it, or changed it, meanwhile.
 */
export async function makeAccount(
  interaction: Interaction,
  connection: Row<"connections">,
  email: string,
  password: string,
): Promise<{ readonly user: Row<"users">; readonly begun: BegunSession } | undefined> {
  const { tenant, client } = interaction;
  const { environment, data, requestInfo } = tenant;
  try {
    const created = await createUser(environment, data, connection, { connection: connection.name, email, password });
    const begun = await beginSession(interaction, { method: "pwd", userId: created.user_id, account: created, connection });
    const user = await recordLogin({ environment, data, ip: requestInfo.ip }, created, created);
    if (user === undefined) {
      await dropNewSession(data, begun.session);
      return undefined;
    }
    await tenant.audit({
      type: "ss",
      client: { client_id: client.record.client_id, name: client.record.name },
      connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
      user: { user_id: user.user_id, name: user.name },
    });
    return { user, begun };
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
