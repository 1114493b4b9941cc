import * as z from "zod";
import { multifactorAuthenticationRequired } from "../../../model/sdk-texts.ts";
import { factorTypeSchema } from "../../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../../model/factors/multifactor.ts";
import { requestOptionsSchema } from "../../../model/factors/webauthn.ts";
import { lockedState } from "../../locked-factor.ts";
import { formOf, repeatPass, trustOffer } from "../../pass-factor.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { otherAccount } from "../other-account.ts";
import { alreadyEnrolledProblem, tooManyCodesProblem } from "../problems.ts";
import { keyRejected, keyResponseField } from "../webauthn/key-response.ts";
import { channelState, chosenFactor, sendChosenCode, sentState } from "./chosen-factor.ts";
import { enteredCodeSchema, factorCodeFields } from "./code-fields.ts";
import { destinationSchema, destinationState } from "./destinations.ts";
import { submitFactorCode } from "./submit-code.ts";
import { keyRequest, useKey } from "./use-key.ts";

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
  problems: {
    "code-missing": { text: "factorCodeMissing", field: "code", error: ["invalid_request", "body: 'code' is missing"] },
    "wrong-code": { text: "factorCodeWrong", field: "code", error: ["invalid_grant", "the code is wrong, already used or expired"] },
    "too-many-attempts": {
      text: "factorTooManyAttempts",
      error: ["TOO_MANY_REQUESTS", "Too many failed codes. Wait for some minutes before retrying."],
    },
    "too-many-codes": tooManyCodesProblem,
    "already-enrolled": alreadyEnrolledProblem,
    "key-rejected": keyRejected,
  },
  silentError: ["login_required", multifactorAuthenticationRequired],
  actions: {
    "enter-factor-code": action({
      summary: "Enter the code of the factor",
      fields: {
        code: enteredCodeSchema,
        remember: rememberField,
      },
    })(async (interaction, { code = "", remember }, { rendering }) => {
      const chosen = chosenFactor(interaction);
      const form = await formOf(interaction, { rendering, code });
      const trustsBrowser = remember !== undefined;
      if (chosen === undefined) return (await repeatPass(interaction, form)) ?? {};
      if (code.trim() === "") return { problem: "code-missing" };
      return submitFactorCode(interaction, chosen, { code, trustsBrowser, form });
    }),
    "use-key": action({
      summary: "Submit the response of the passkey or security key",
      fields: { response: keyResponseField, remember: rememberField },
    })(async (interaction, { response = "", remember }) => {
      const chosen = chosenFactor(interaction);
      if (chosen === undefined) return {};
      if (response === "") return { problem: "key-rejected" };
      return useKey(interaction, chosen, { response, trustsBrowser: remember !== undefined });
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
      const isOffered = destination === undefined ? chosen?.type === factor : chosen?.target?.id === destination;
      return chosen !== undefined && isOffered ? sendChosenCode(interaction, chosen, rendering) : {};
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
      return chosen === undefined ? {} : sendChosenCode(interaction, chosen, rendering, channel);
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
    if (chosen === undefined) return passStep;
    return showScreen({
      name: "factor",
      factor: chosen.type,
      others: [...chosen.others],
      ...(await keyRequest(interaction, chosen)),
      ...destinationState(interaction.tenant, chosen),
      ...sentState(interaction, chosen.target),
      ...channelState(interaction, chosen),
      ...(await lockedState(interaction.tenant, chosen.user.user_id, chosen.type)),
      ...trustOffer(interaction, chosen.type),
    });
  },
});
