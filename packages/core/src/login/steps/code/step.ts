import * as z from "zod";
import { methodsFor } from "../../available-methods.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { invitedToSchema, invitedTo } from "../invitation/invitation.ts";
import { identifierProgress } from "../identifier/progress.ts";
import { accountRefused, tooManyCodesProblem } from "../problems.ts";
import { signInInstead } from "../sign-in-instead.ts";
import { redeemByPurpose, resend } from "./by-purpose.ts";
import { codeProgress } from "./progress.ts";

/** Seconds until the page offers to send another code. */
const resendDelay = 30;

const definition = describeStep({
  name: "code",
  summary: "Requests the code that was sent",
  screenFields: {
    purpose: z.enum(["login", "sign-up", "reset-password", "link-account"]).meta({ description: "The purpose of the code" }),
    channel: z.enum(["email", "sms"]).meta({ description: "The channel of the message" }),
    sentTo: z.string().exactOptional().meta({
      description: "The destination of the code. Omitted if the visitor named the account by another identifier, such as a username",
    }),
    again: z.literal(true).exactOptional().meta({ description: "Present if the visitor requested another code after the first one" }),
    resendIn: z.int().meta({ description: "Seconds until the client should offer another code, because mail may be slow" }),
    usePassword: z.literal(true).exactOptional().meta({ description: "The visitor can use a password instead" }),
    invitation: invitedToSchema.exactOptional(),
  },
  problems: {
    "code-missing": { text: "codeMissing", field: "code", error: ["invalid_request", "body: 'code' is missing"] },
    "wrong-code": { text: "codeWrong", field: "code", error: ["invalid_grant", "the code is wrong, already used or expired"] },
    "too-many-codes": tooManyCodesProblem,
    "too-many-attempts": { text: "tooManyAttempts", error: ["TOO_MANY_REQUESTS", "Too many attempts. Wait a while and try again."] },
    "no-account": accountRefused,
    blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "enter-code": action({
      summary: "Enter the code that was sent",
      fields: {
        code: z
          .string()
          .max(100)
          .exactOptional()
          .meta({ description: "The code as the visitor typed it. Digits of every script are accepted; spaces and dashes are ignored" }),
      },
    })(async (interaction, { code = "" }, { form, wasAccepted }) => {
      const { code: awaited } = interaction.progress;
      if (awaited === undefined) return {};
      if (code.trim() === "") return { problem: "code-missing" };
      return redeemByPurpose(interaction, awaited, { typed: code, form, wasAccepted });
    }),
    "resend-code": action({ summary: "Send another code", fields: {} })(async (interaction, _, { rendering }) => {
      const { code: awaited } = interaction.progress;
      if (awaited === undefined) return {};
      return resend(interaction, awaited, rendering);
    }),
    "change-address": action({ summary: "Change the destination of the code", fields: {} })(() => ({
      leaves: ({ code: awaited }) => (awaited?.purpose === "login" ? [codeProgress, identifierProgress] : [codeProgress]),
    })),
    "use-password": action({ summary: "Sign in with a password instead of a code", fields: {} })(() => ({
      leaves: [codeProgress],
    })),
    "sign-in-instead": signInInstead,
  },
});

export type CodeScreen = z.output<typeof definition.screen>;

/** Asks for the code that was sent. */
export const code = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { code: awaited, identifier } = interaction.progress;
    if (session !== undefined || awaited === undefined) return passStep;
    const { tenant } = interaction;
    const waited = Math.floor((tenant.now() - awaited.sent_at) / 1000);
    const canUsePassword = awaited.purpose === "login" && (await methodsFor(interaction)).some(({ method }) => method === "pwd");
    const invitation = await invitedTo(interaction);
    const { purpose, channel, to } = awaited;
    const showsDestination = purpose !== "reset-password" || to.includes("@");
    return showScreen({
      name: "code",
      purpose,
      channel,
      ...(showsDestination && { sentTo: purpose === "login" ? (identifier ?? to) : to }),
      ...(awaited.again && { again: true }),
      resendIn: Math.max(0, resendDelay - waited),
      ...(canUsePassword && { usePassword: true }),
      ...(invitation && { invitation }),
    });
  },
});
