import type { Row } from "../../../data/schema.ts";
import { PosternError } from "../../../errors.ts";
import { beginSession, type BegunSession } from "../../begin-session.ts";
import { codeSignIn } from "../../code-sign-in.ts";
import type { Interaction } from "../../interaction.ts";
import { proofsFor } from "../../possible-proofs.ts";
import type { AwaitedCode } from "../../progress.ts";
import type { Taken } from "../../step.ts";
import { proved } from "../../proved.ts";
import { loginOf } from "./request.ts";

/** Tries a code, and goes on as whoever it proves. Nothing is answered before what came of it is on record. */
export async function signInByCode(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Taken> {
  const { tenant, client, remembered } = interaction;
  const proof = (await proofsFor(interaction)).find(
    ({ method, connection }) => method === "otp" && connection.id === awaited.connection_id,
  );
  if (proof === undefined) return { problem: "wrong-code" };
  const { connection } = proof;
  const begin = (userId: string, account: Row<"users">): Promise<BegunSession> =>
    beginSession(interaction, { method: "otp", userId, account, connection });
  const brought = {
    address: { channel: awaited.channel, text: awaited.to },
    code: typed,
    marks: remembered.accounts,
    loginId: loginOf(interaction).id,
  };
  const result = await codeSignIn(tenant, client, connection, brought, begin);
  if (result.kind !== "signed-in") await result.recorded;
  switch (result.kind) {
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
      return { ...(await proved(interaction, result.user, identifier, result.begun)), recorded: result.recorded };
    }
  }
}
