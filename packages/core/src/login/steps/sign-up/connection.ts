import type { Row } from "../../../store/schema.ts";
import { signUpFields } from "../../../identity/users/sign-up-fields.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";
import { action } from "../../step.ts";

/** Returns the connection for self-service sign-up: the first password connection, if it allows sign-up. */
export async function signUpConnection(interaction: Interaction): Promise<Row<"connections"> | undefined> {
  // An invited visitor creates an account for the invited email address instead.
  if (interaction.request.invitation !== undefined) return undefined;
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  return connection !== undefined && signUpFields(connection).open ? connection : undefined;
}

/** Whether the visitor wants to sign up, by their choice or the client's `screen_hint`. */
export function wantsAccount({ progress: { aim }, request }: Interaction): boolean {
  return aim === "sign-up" || (aim === undefined && request.screen_hint === "signup");
}

/** Switches to sign-up. A step that asks for the identifier has this action. */
export const signUpInstead = action({ summary: "Sign up", fields: {} })(() => ({
  change: (progress) => ({ ...progress, aim: "sign-up" }),
}));
