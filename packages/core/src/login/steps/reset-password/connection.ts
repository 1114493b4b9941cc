import type { Row } from "../../../store/schema.ts";
import { maySetPasswords } from "../../../identity/passwords/self-service.ts";
import { canMail } from "../../../messages/send.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";

/**
 * Returns the password database whose users may reset their password. Returns undefined if no such database
 * exists, or if the host cannot send mail.
 */
export async function resetConnection(interaction: Interaction): Promise<Row<"connections"> | undefined> {
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  if (connection === undefined || !canMail(interaction.tenant)) return undefined;
  return maySetPasswords(connection) ? connection : undefined;
}
