import { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "./progress.ts";
import type { ActionResult } from "../../step.ts";
import { redeemLink, sendLinkCode } from "../link-account/by-code.ts";
import { redeemReset, sendResetCode } from "../reset-password/reset.ts";
import { redeemSignUp, sendSignUpCode } from "../sign-up/verify.ts";
import type { TypedCodeForm } from "./redeem.ts";
import { requestLoginCode } from "./request.ts";
import { signInByCode } from "./sign-in.ts";

/** Redeems the code that the visitor entered, for the purpose that it was sent for. */
export async function redeemByPurpose(interaction: Interaction, awaited: AwaitedCode, entered: TypedCodeForm): Promise<ActionResult> {
  switch (awaited.purpose) {
    case "login":
      return signInByCode(interaction, awaited, entered);
    case "sign-up":
      return redeemSignUp(interaction, awaited, entered);
    case "reset-password":
      return redeemReset(interaction, awaited, entered);
    case "link-account":
      return redeemLink(interaction, awaited, entered);
  }
}

/**
 * Sends another code for the same purpose.
 * @throws {PosternError} `access_denied` if the connection that the code belongs to was deleted.
 */
export async function resend(interaction: Interaction, awaited: AwaitedCode, rendering: string | undefined): Promise<ActionResult> {
  const connection = await interaction.tenant.connections.byId(awaited.connection_id);
  if (connection === undefined) throw new PosternError("access_denied", "the connection that the code belongs to was deleted");
  const address = { channel: awaited.channel, text: awaited.to };
  switch (awaited.purpose) {
    case "login":
      return requestLoginCode(interaction, { connection, address }, interaction.progress.identifier ?? awaited.to, rendering);
    case "sign-up":
      return sendSignUpCode(interaction, connection, address, rendering);
    case "reset-password":
      return sendResetCode(interaction, awaited.to, rendering);
    case "link-account":
      return sendLinkCode(interaction, rendering);
  }
}
