import { signInWithPassword } from "../../../identity/login/password-login.ts";
import type { Row } from "../../../store/schema.ts";
import { PosternError } from "../../../errors.ts";
import { browserSession } from "../../start-session.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";

/**
 * Returns the password database whose passwords the interaction accepts.
 * @throws {PosternError} `access_denied` if no password connection is enabled for the client.
 */
export async function passwordConnection(interaction: Interaction): Promise<Row<"connections">> {
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  if (connection === undefined) throw new PosternError("access_denied", "no password connection is enabled for the client");
  return connection;
}

/** The submitted credentials, and the rendering id of the form. */
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
  // An impatient user may submit one form several times with the same password, which counts as one attempt. A user who
  // goes back to the form submits another password, which counts as another attempt.
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
