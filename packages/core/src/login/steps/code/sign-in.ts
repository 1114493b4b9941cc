import { PosternError } from "../../../errors.ts";
import { signInWithCode } from "../../../identity/login/code-login.ts";
import { browserSession } from "../../start-session.ts";
import type { Interaction } from "../../interaction.ts";
import { methodsFor } from "../../available-methods.ts";
import type { AwaitedCode } from "./progress.ts";
import type { ActionResult } from "../../step.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import type { TypedCodeForm } from "./redeem.ts";
import { loginOf } from "./request.ts";

/** Signs a user in with a one-time code. */
export async function signInByCode(
  interaction: Interaction,
  awaited: AwaitedCode,
  { typed, form, wasAccepted }: TypedCodeForm,
): Promise<ActionResult> {
  const { tenant, client, remembered } = interaction;
  const proof = (await methodsFor(interaction)).find(
    ({ method, connection }) => method === "otp" && connection.id === awaited.connection_id,
  );
  if (proof === undefined) return { problem: "wrong-code" };
  const { connection } = proof;
  const result = await signInWithCode(tenant, {
    client,
    connection,
    session: browserSession(interaction, { method: "otp", connection }),
    address: { channel: awaited.channel, text: awaited.to },
    code: typed,
    form,
    wasAccepted,
    marks: remembered.accounts,
    loginId: loginOf(interaction).id,
  });
  switch (result.kind) {
    case "repeated":
      return acceptedBefore;
    case "wrong-code":
      return { problem: "wrong-code" };
    case "refused":
      return { problem: "too-many-attempts", refusal: result.error };
    case "no-account":
      return { problem: "no-account", refusal: new PosternError("access_denied", result.message) };
    case "blocked":
      return { problem: "blocked" };
    case "signed-in": {
      const { identifier = awaited.to } = interaction.progress;
      return { ...(await completeSignIn(interaction, result.user, identifier, result.started)), recorded: result.recorded };
    }
  }
}
