import * as z from "zod";
import { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import { proofsFor } from "../../possible-proofs.ts";
import type { AwaitedCode, Progress } from "../../progress.ts";
import { action, ask, pass, describeStep, step, type Taken } from "../../step.ts";
import { InvitedTo, invitedTo } from "../invitation/invitation.ts";
import { accountRefused, tooManyCodes } from "../problems.ts";
import { redeemLink, sendLinkCode } from "../link-account/by-code.ts";
import { redeemReset, sendResetCode } from "../reset-password/reset.ts";
import { signInInstead } from "../sign-in-instead.ts";
import { redeemSignUp, sendSignUpCode } from "../sign-up/verify.ts";
import { requestLoginCode } from "./request.ts";
import { signInByCode } from "./sign-in.ts";

/** Seconds after which another code is offered. */
const patience = 30;

const definition = describeStep({
  name: "code",
  summary: "Asks for the code that was sent",
  shows: {
    purpose: z.enum(["login", "sign-up", "reset-password", "link-account"]).meta({ description: "What the code is for" }),
    channel: z.enum(["email", "sms"]).meta({ description: "How it was sent" }),
    sentTo: z.string().exactOptional().meta({ description: "Where it was sent; left out: to the address of the account that was named" }),
    again: z.literal(true).exactOptional().meta({ description: "It is not the first: another one was asked for" }),
    resendIn: z.int().meta({ description: "Seconds until another code should be offered; mail may be slow" }),
    usePassword: z.literal(true).exactOptional().meta({ description: "A password would do as well" }),
    invitation: InvitedTo.exactOptional(),
  },
  problems: {
    "code-missing": { text: "codeMissing", field: "code", error: ["invalid_request", "body: 'code' is missing"] },
    "wrong-code": { text: "codeWrong", field: "code", error: ["invalid_grant", "the code is wrong, used or over"] },
    "too-many-codes": tooManyCodes,
    "too-many-attempts": { text: "tooManyAttempts", error: ["TOO_MANY_REQUESTS", "Too many tries. Wait a while and try again."] },
    "no-account": accountRefused,
    blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "enter-code": action({
      summary: "Bring the code that was sent",
      fields: { code: z.string().max(100).exactOptional().meta({ description: "As it was typed; spaces do not count" }) },
    })(async (interaction, { code = "" }) => {
      const { code: awaited } = interaction.progress;
      if (awaited === undefined) return {};
      return code.trim() === "" ? { problem: "code-missing" } : redeem(interaction, awaited, code);
    }),
    "resend-code": action({ summary: "Have another code sent", fields: {} })(async (interaction, _, { rendering }) => {
      const { code: awaited } = interaction.progress;
      return awaited === undefined ? {} : resend(interaction, awaited, rendering);
    }),
    "change-address": action({ summary: "Say again where the code goes", fields: {} })(() => ({
      change: ({ code, ...rest }) => (code?.purpose === "login" ? withoutIdentifier(rest) : rest),
    })),
    "use-password": action({ summary: "Prove who one is by a password in place of a code", fields: {} })(() => ({
      change: ({ code: _, ...rest }) => rest,
    })),
    "sign-in-instead": signInInstead,
  },
});

/** What the step shows. */
export type CodeScreen = z.output<typeof definition.screen>;

/** Asks for the code that was sent. */
export const code = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    const { code: awaited, identifier } = interaction.progress;
    if (person !== undefined || awaited === undefined) return pass;
    const { tenant } = interaction;
    const waited = Math.floor((tenant.environment.clock.now() - awaited.sent_at) / 1000);
    const byPassword = awaited.purpose === "login" && (await proofsFor(interaction)).some(({ method }) => method === "pwd");
    const invitation = await invitedTo(interaction);
    const { purpose, channel, to } = awaited;
    const named = purpose !== "reset-password" || to.includes("@");
    return ask({
      name: "code",
      purpose,
      channel,
      ...(named && { sentTo: purpose === "login" ? (identifier ?? to) : to }),
      ...(awaited.again && { again: true }),
      resendIn: Math.max(0, patience - waited),
      ...(byPassword && { usePassword: true }),
      ...(invitation && { invitation }),
    });
  },
});

async function redeem(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Taken> {
  switch (awaited.purpose) {
    case "login":
      return signInByCode(interaction, awaited, typed);
    case "sign-up":
      return redeemSignUp(interaction, awaited, typed);
    case "reset-password":
      return redeemReset(interaction, awaited, typed);
    case "link-account":
      return redeemLink(interaction, awaited, typed);
  }
}

async function resend(interaction: Interaction, awaited: AwaitedCode, rendering: string | undefined): Promise<Taken> {
  const connection = await interaction.tenant.connections.byId(awaited.connection_id);
  if (connection === undefined) throw new PosternError("access_denied", "the connection that sends codes is there no more");
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

function withoutIdentifier({ identifier: _, ...rest }: Progress): Progress {
  return rest;
}
