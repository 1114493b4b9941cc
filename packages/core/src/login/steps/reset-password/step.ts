import * as z from "zod";
import type { Interaction } from "../../interaction.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { acceptedIdentifierKinds } from "../../available-methods.ts";
import { identifierFields } from "../identifier/identifier-fields.ts";
import { identifierMissing, phoneMisspelledIn, readTyped, tooManyCodesProblem } from "../problems.ts";
import { signInInstead } from "../sign-in-instead.ts";
import { resetConnection } from "./connection.ts";
import { sendResetCode } from "./reset.ts";

const definition = describeStep({
  name: "reset-password",
  summary: "Requests an identifier of the account whose password the visitor forgot, to send a code",
  screenFields: identifierFields,
  problems: { "identifier-missing": identifierMissing, ...phoneMisspelledIn("identifier"), "too-many-codes": tooManyCodesProblem },
  silentError: ["login_required", "Login required"],
  actions: {
    "send-reset": action({
      summary: "Send a code and a link to set a new password",
      fields: { identifier: z.string().max(1000).exactOptional().meta({ description: "The identifier of the account" }) },
    })(async (interaction, { identifier = "" }, { rendering }) => {
      const typed = readTyped(identifier);
      if (typed === undefined) return { problem: "identifier-missing" };
      return sendResetCode(interaction, typed, rendering);
    }),
    "sign-in-instead": signInInstead,
  },
});

export type ResetPasswordScreen = z.output<typeof definition.screen>;

/** Asks a visitor who forgot their password for an identifier of their account. */
export const resetPasswordStep = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { aim, code, reset } = interaction.progress;
    if (session !== undefined || aim !== "reset-password" || code !== undefined || reset !== undefined) return passStep;
    const screen = await screenFor(interaction);
    return screen === undefined ? passStep : showScreen(screen);
  },
  revisit: async (interaction, session) =>
    session === undefined && interaction.progress.aim === "reset-password" ? screenFor(interaction) : undefined,
});

async function screenFor(interaction: Interaction): Promise<ResetPasswordScreen | undefined> {
  const connection = await resetConnection(interaction);
  if (connection === undefined) return undefined;
  const { progress, request } = interaction;
  const identifier = progress.identifier ?? request.login_hint ?? "";
  const kinds = [...acceptedIdentifierKinds([{ method: "pwd", connection }])];
  return { name: "reset-password", kinds, ...(identifier !== "" && { identifier }) };
}
