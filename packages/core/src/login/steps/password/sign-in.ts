import type { Row } from "../../../data/schema.ts";
import { PosternError } from "../../../errors.ts";
import { beginSession, type BegunSession } from "../../begin-session.ts";
import type { Interaction } from "../../interaction.ts";
import { passwordSignIn } from "../../password-sign-in.ts";
import { connectionFor, proofsFor } from "../../possible-proofs.ts";
import { proved } from "../../proved.ts";
import type { Taken } from "../../step.ts";

/** The connection whose passwords are asked for. @throws {PosternError} `access_denied`: nobody is asked for a password that no connection takes. */
export async function passwordConnection(interaction: Interaction): Promise<Row<"connections">> {
  const connection = connectionFor(await proofsFor(interaction), "pwd");
  if (connection === undefined) throw new PosternError("access_denied", "no password connection is enabled for the client");
  return connection;
}

/** What was typed, and the form in which it was sent. */
interface Typed {
  readonly identifier: string;
  readonly password: string;
  readonly rendering: string | undefined;
}

/** Tries a password, and goes on as whoever it proves. Nothing is answered before what came of it is on record. */
export async function signInByPassword(
  interaction: Interaction,
  connection: Row<"connections">,
  { identifier, password, rendering }: Typed,
): Promise<Taken> {
  const { tenant, client } = interaction;
  const begin = (userId: string, account: Row<"users">): Promise<BegunSession> =>
    beginSession(interaction, { method: "pwd", userId, account, connection });
  // An impatient person sends one form with one password several times; somebody who went back to it sends another password.
  const form = rendering && (await tenant.environment.fingerprints.of(rendering, identifier, password));
  const result = await passwordSignIn(tenant, client, connection, { identifier, password, form }, begin);
  if (result.kind !== "signed-in") await result.recorded;
  const change: Taken["change"] = (progress) => ({ ...progress, identifier });
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
      return { ...(await proved(interaction, result.user, identifier, result.begun)), recorded: result.recorded };
  }
}
