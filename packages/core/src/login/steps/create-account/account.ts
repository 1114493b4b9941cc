import type { Row } from "../../../store/schema.ts";
import { signUp } from "../../../identity/users/sign-up.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { refusedPassword } from "../../new-password.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";

/**
 * Creates the account of an invited user, and signs them in. Its address is not verified: the creator of the invitation
 * knows the ticket as well.
 * @returns undefined if there is an account already, or the new one was changed since.
 */
export async function createInvitedAccount(
  interaction: Interaction,
  connection: Row<"connections">,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<ActionResult | undefined> {
  const { tenant, client } = interaction;
  const result = await signUp(tenant, { connection, client, sent: { email, password }, isInvited: true });
  switch (result.kind) {
    case "refused":
      return { ...refusedPassword(result.fault), recorded: result.recorded };
    case "denied":
      return { problem: "no-account" };
    case "created": {
      const [entered] = await Promise.all([
        enterAccount(interaction, { account: result.user, connection, method: "pwd" }),
        result.recorded,
      ]);
      return entered && completeSignIn(interaction, entered.user, email, entered.begun);
    }
    case "taken":
      await result.recorded;
      return undefined;
    case "invalid":
    case "closed":
      return undefined;
  }
}
