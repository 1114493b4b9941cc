import { signInWithPassword } from "../../../identity/login/password-login.ts";
import type { Row } from "../../../store/schema.ts";
import { PosternError } from "../../../errors.ts";
import { browserSession } from "../../start-session.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";

/**
 * Returns the connection whose passwords are accepted.
 * @throws {PosternError} `access_denied` if no password connection is enabled for the client.
 */
export async function passwordConnection(interaction: Interaction): Promise<Row<"connections">> {
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  if (connection === undefined) throw new PosternError("access_denied", "no password connection is enabled for the client");
  return connection;
}

/** The submitted credentials, and the id of the form. */
interface Typed {
  readonly identifier: string;
  readonly password: string;
  readonly rendering: string | undefined;
}

/** Signs a user in with a password. */
export async function signInByPassword(
  interaction: Interaction,
  connection: Row<"connections">,
  { identifier, password, rendering }: Typed,
): Promise<ActionResult> {
  const { tenant, client } = interaction;
  // An impatient user submits one form with one password several times. A user who went back to it submits another
  // password.
  const form = rendering && (await tenant.secrets.fingerprints.of(rendering, identifier, password));
  const result = await signInWithPassword(tenant, {
    client,
    connection,
    identifier,
    password,
    form,
    session: browserSession(interaction, { method: "pwd", connection }),
  });
  const change: ActionResult["change"] = (progress) => ({ ...progress, identifier });
  switch (result.kind) {
    case "wrong-credentials":
    case "repeated":
      return { change, problem: "wrong-credentials" };
    case "throttled":
      return { change, problem: "too-many-attempts" };
    case "refused":
      return { change, problem: "too-many-attempts", refusal: result.error };
    case "blocked":
      return { change, problem: "blocked" };
    case "signed-in":
      return { ...(await completeSignIn(interaction, result.user, identifier, result.started)), recorded: result.recorded };
  }
}
