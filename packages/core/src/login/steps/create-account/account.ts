import type { Row } from "../../../store/schema.ts";
import { signUp } from "../../../identity/users/sign-up.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { refusedPassword } from "../../new-password.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";

/**
 * Creates an account for an invited user, and signs them in. The account's email address is not verified, because the
 * creator of the invitation knows the ticket as well.
 * @returns undefined if the account cannot be created, for example because it exists already, or if the new account was
 * changed during the request.
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
        enterAccount(interaction, { account: result.user, connection, method: "pwd", channels: [email] }),
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
