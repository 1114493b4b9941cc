import type { Row } from "../../../store/schema.ts";
import { signUpFields } from "../../../identity/users/sign-up-fields.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";
import { action } from "../../step.ts";

/** The connection that people make accounts at by themselves: the first with passwords, where that lets them. */
export async function signUpConnection(interaction: Interaction): Promise<Row<"connections"> | undefined> {
  // Who is invited makes the account that the invitation is for.
  if (interaction.request.invitation !== undefined) return undefined;
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  return connection !== undefined && signUpFields(connection).open ? connection : undefined;
}

/** Whether the person wants an account, as they said here or the client for them. */
export function wantsAccount({ progress: { aim }, request }: Interaction): boolean {
  return aim === "sign-up" || (aim === undefined && request.screen_hint === "signup");
}

/** Makes an account in place of signing in: an action of the steps that ask who somebody is. */
export const signUpInstead = action({ summary: "Make an account", fields: {} })(() => ({
  change: (progress) => ({ ...progress, aim: "sign-up" }),
}));
