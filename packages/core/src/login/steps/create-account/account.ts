import { auditClient, auditConnection, auditUser } from "../../../logs/audit.ts";
import type { Row } from "../../../store/schema.ts";
import { registrationAt } from "../../../identity/actions/registration.ts";
import { createUser } from "../../../identity/users/create-user.ts";
import { isPosternError } from "../../../errors.ts";
import type { BegunSession } from "../../begin-session.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";

/**
 * Makes an account with a password. Its address is not verified: whoever made the invitation knows the ticket as well.
 * @returns undefined where somebody made it, or changed it, meanwhile; `denied` where an action of the host's does not want it.
 */
export async function makeAccount(
  interaction: Interaction,
  connection: Row<"connections">,
  email: string,
  password: string,
): Promise<{ readonly user: Row<"users">; readonly begun: BegunSession } | "denied" | undefined> {
  const { tenant, client } = interaction;
  const registration = registrationAt(tenant, client, connection);
  const { kind, ...asked } = await registration.before({ email });
  if (kind === "denied") return kind;
  try {
    const account = await createUser(tenant, connection, { connection: connection.name, email, password, ...asked });
    registration.after(account);
    const entered = await enterAccount(interaction, { account, connection, method: "pwd" });
    if (entered === undefined) return undefined;
    await tenant.audit({
      type: "ss",
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(account),
    });
    return entered;
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
