import * as z from "zod";
import { multifactorAuthenticationRequired } from "../../../model/sdk-texts.ts";
import { factorTypeSchema } from "../../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../../model/factors/multifactor.ts";
import { requestOptionsSchema } from "../../../model/factors/webauthn.ts";
import { enterCode, useKey } from "../../factors/challenge.ts";
import { challengeScreen } from "../../factors/challenge-screen.ts";
import { enteredCodeSchema, factorCodeFields } from "../../factors/code-fields.ts";
import { destinationSchema } from "../../factors/destinations.ts";
import { factorProblems } from "../../factors/problems.ts";
import { trustOffer } from "../../pass-factor.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { otherAccount } from "../other-account.ts";
import { keyResponseField } from "../webauthn/key-response.ts";
import { chosenFactor, contextOf, continueAfter, lastCode, sendChosenCode } from "./chosen-factor.ts";

const rememberField = z.enum(["true", "on"]).exactOptional().meta({ description: "Do not ask for a factor again in this browser" });

const definition = describeStep({
  name: "factor",
  summary: "Requests a second factor that the user has enrolled",
  screenFields: {
    factor: factorTypeSchema.meta({ description: "The factor that the user must use now" }),
    others: z.array(factorTypeSchema).meta({ description: "The other factors that the user may use instead" }),
    destinations: z.array(destinationSchema).exactOptional().meta({
      description: "The other phones and email addresses that can receive the code. Only of the types of which the user has several",
    }),
    publicKey: requestOptionsSchema.exactOptional().meta({
      description:
        "The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()`. Only for a passkey or security key; omitted if none works on this host",
    }),
    sentTo: z.string().exactOptional().meta({ description: "The masked destination of the code. Only for codes by email or phone" }),
    sent: z.literal(true).exactOptional().meta({ description: "A code was sent. If omitted, the user must request it" }),
    ...factorCodeFields,
    remember: z.boolean().exactOptional().meta({
      description: "Whether `remember` is preselected. Omitted if the browser cannot be trusted after this factor",
    }),
  },
  problems: factorProblems,
  silentError: ["login_required", multifactorAuthenticationRequired],
  actions: {
    "enter-factor-code": action({
      summary: "Enter the code of the factor",
      fields: {
        code: enteredCodeSchema,
        remember: rememberField,
      },
    })(async (interaction, { code = "", remember }, { form, wasAccepted }) => {
      const chosen = chosenFactor(interaction);
      const { missingFactor: missing } = interaction;
      if (chosen === undefined || missing === undefined) return {};
      // The sign-in that a recovery code completes must start one session.
      const result = await enterCode(contextOf(interaction, missing), "factor", chosen, { code, form, isRepeatable: false });
      if (result.kind === "passed" && result.repeats !== undefined && (await wasAccepted())) return acceptedBefore;
      return continueAfter(interaction, missing, result, { type: chosen.type, trustsBrowser: remember !== undefined });
    }),
    "use-key": action({
      summary: "Submit the response of the passkey or security key",
      fields: { response: keyResponseField, remember: rememberField },
    })(async (interaction, { response = "", remember }) => {
      const chosen = chosenFactor(interaction);
      const { missingFactor: missing } = interaction;
      if (chosen === undefined || missing === undefined) return {};
      const { type } = chosen;
      const result = await useKey(contextOf(interaction, missing), type, response);
      return continueAfter(interaction, missing, result, { type, trustsBrowser: remember !== undefined });
    }),
    "choose-factor": action({
      summary: "Use another enrolled factor. If it uses codes by email or phone, a code is sent",
      fields: {
        factor: factorTypeSchema.exactOptional().meta({ description: "The type of the factor. Default: that of the destination" }),
        destination: z.string().max(64).exactOptional().meta({
          description: "The `id` of one of the `destinations`. Default: the first phone or email address of the user",
        }),
      },
    })(async (interaction, { factor, destination }, { rendering }) => {
      const chosen = chosenFactor(interaction, { factor, destination });
      const { missingFactor: missing } = interaction;
      const isOffered = destination === undefined ? chosen?.type === factor : chosen?.target?.id === destination;
      if (chosen === undefined || missing === undefined || !isOffered) return {};
      return sendChosenCode(interaction, missing, chosen, rendering);
    }),
    "send-factor-code": action({
      summary: "Send a code, or another code",
      fields: {
        channel: messageTypeSchema.exactOptional().meta({
          description: "The channel for a code to a phone. Default: the channel of the last code, otherwise the user's preferred channel",
        }),
      },
    })(async (interaction, { channel }, { rendering }) => {
      const chosen = chosenFactor(interaction);
      const { missingFactor: missing } = interaction;
      return chosen === undefined || missing === undefined ? {} : sendChosenCode(interaction, missing, chosen, rendering, channel);
    }),
    "other-account": otherAccount,
  },
});

export type FactorScreen = z.output<typeof definition.screen>;

/** Asks for a second factor that the user has enrolled. No session exists, or it is not sufficient, until it is passed. */
export const factorStep = step(definition, {
  requiresSession: false,
  async decide(interaction) {
    const chosen = chosenFactor(interaction);
    const { login, missingFactor: missing } = interaction;
    if (chosen === undefined || missing === undefined) return passStep;
    const { type, others } = chosen;
    // The page is shown after a login session was created.
    if (login === undefined) return showScreen({ name: "factor", factor: type, others: [...others] });
    const screen = await challengeScreen(contextOf(interaction, missing), chosen, lastCode(interaction, chosen));
    return showScreen({ ...screen, ...trustOffer(interaction, type) });
  },
});
