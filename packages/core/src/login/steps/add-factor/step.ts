import * as z from "zod";
import { factorTypeSchema } from "../../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../../model/factors/multifactor.ts";
import { creationOptionsSchema } from "../../../model/factors/webauthn.ts";
import { multifactorAuthenticationRequired } from "../../../model/sdk-texts.ts";
import { enteredCodeSchema, factorCodeFields } from "../../factors/code-fields.ts";
import { confirmNewFactor, confirmNewKey } from "../../factors/confirm-new-factor.ts";
import { enrollmentScreen } from "../../factors/enrollment-screen.ts";
import { factorPages } from "../../factors/kinds.ts";
import { newFactorTarget, resendCode, startPhone } from "../../factors/new-factor.ts";
import { keyRegistration } from "../../factors/new-key.ts";
import { factorProblems } from "../../factors/problems.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import type { LoginProgress } from "../../progress.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { contextOf, lastCode, sentNow } from "../factor/chosen-factor.ts";
import { factorProgress } from "../factor/progress.ts";
import { otherAccount } from "../other-account.ts";
import { phoneMisspelledIn, rejectMisspelled } from "../problems.ts";
import { keyResponseField } from "../webauthn/key-response.ts";
import { continueWithNewFactor, enrollmentContext, otherFactorAdded } from "./confirm.ts";
import { addFactorProgress, newPhoneProgress } from "./progress.ts";
import { addableTypes, chosenKeyType, isFrozen, isOvertaken, newFactor } from "./new-factor.ts";

const definition = describeStep({
  name: "add-factor",
  summary: "Requires the user to add a second factor",
  screenFields: {
    options: z.array(factorTypeSchema).meta({ description: "The factors that the user may add" }),
    frozen: z.literal(true).exactOptional().meta({
      description:
        "The user cannot add a factor now, because they reported a change that they did not make. They cannot sign in until 24 hours after it",
    }),
    factor: factorTypeSchema.exactOptional().meta({ description: "The factor that the user chose. Omitted: the user must choose one" }),
    totp: z
      .strictObject({
        secret: z.string().meta({ description: "The key in base32, for apps that cannot read the QR code" }),
        uri: z.string().meta({ description: "The `otpauth:` URI, for a QR code or as a link" }),
      })
      .exactOptional()
      .meta({ description: "The key of the new authenticator app" }),
    publicKey: creationOptionsSchema.exactOptional().meta({
      description: "The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`. Only for a passkey or security key",
    }),
    rejectedPhone: z.string().exactOptional().meta({ description: "The text that the user entered as a phone number, if it was rejected" }),
    sentTo: z.string().exactOptional().meta({ description: "The phone number that the code was sent to, not masked" }),
    sent: z.literal(true).exactOptional().meta({ description: "A code was sent" }),
    ...factorCodeFields,
  },
  problems: {
    ...factorProblems,
    "phone-invalid": {
      text: "phoneMalformed",
      field: "phone",
      error: ["invalid_request", "body: 'phone' must be a phone number with + and the country code"],
    },
    ...phoneMisspelledIn("phone"),
    "phone-used": {
      text: "phoneUsed",
      field: "phone",
      error: ["invalid_request", "body: 'phone' is the number that the user signed in with, so it cannot be a second factor"],
    },
    "too-many-new-numbers": {
      text: "newNumbersTooMany",
      error: ["TOO_MANY_REQUESTS", "Too many codes were requested for new phone numbers. Try again later."],
    },
  },
  silentError: ["login_required", multifactorAuthenticationRequired],
  actions: {
    "choose-new-factor": action({
      summary: "Choose the factor to add",
      fields: { factor: factorTypeSchema.meta({ description: "The type of the factor" }) },
    })(async (interaction, { factor }) => {
      const { missingFactor: missing } = interaction;
      if (missing === undefined || !addableTypes(interaction).includes(factor)) return {};
      const started = await factorPages[factor].enrollment?.start?.(contextOf(interaction, missing));
      return { change: (progress) => ({ ...progress, factor_choice: { type: factor }, ...(started && { new_factor: started.id }) }) };
    }),
    "enter-phone": action({
      summary: "Enter the number of the new phone. A code is sent to it",
      fields: { phone: z.string().max(100).exactOptional().meta({ description: "The number with + and the country code" }) },
    })(async (interaction, { phone = "" }, { rendering }) => {
      const { missingFactor: missing } = interaction;
      if (missing === undefined || !addableTypes(interaction).includes("phone")) return {};
      const started = await startPhone(contextOf(interaction, missing), phone, rendering);
      if ("problem" in started) {
        const change = (progress: LoginProgress): LoginProgress => ({ ...progress, rejected_phone: phone });
        const { problem, misspelled } = started;
        return { ...(misspelled === undefined ? { problem } : rejectMisspelled("phone", misspelled)), change };
      }
      const { factor, target, refusal } = started;
      return {
        leaves: [newPhoneProgress],
        change: (progress) => ({
          ...progress,
          factor_choice: { type: "phone" },
          new_factor: factor.id,
          ...(refusal === undefined && { factor_code: sentNow(interaction, missing, target) }),
        }),
        ...(refusal && { problem: refusal.problem, refusal: refusal.error }),
      };
    }),
    "confirm-new-factor": action({
      summary: "Enter the first code of the new factor",
      fields: {
        code: enteredCodeSchema,
      },
    })(async (interaction, { code = "" }, { form, wasAccepted }) => {
      const factor = await newFactor(interaction);
      const { missingFactor: missing } = interaction;
      if (factor === undefined || missing === undefined) return {};
      if (isOvertaken(interaction)) return otherFactorAdded;
      if (!addableTypes(interaction).some((type) => type === factor.type)) return {};
      const result = await confirmNewFactor(enrollmentContext(interaction, missing), factor, { code, form });
      if (result.kind === "unavailable" && (await wasAccepted())) return acceptedBefore;
      return continueWithNewFactor(interaction, missing, result);
    }),
    "confirm-key": action({
      summary: "Submit the response of the new passkey or security key",
      fields: { response: keyResponseField },
    })(async (interaction, { response = "" }) => {
      if (isOvertaken(interaction)) return otherFactorAdded;
      const type = chosenKeyType(interaction);
      const { missingFactor: missing } = interaction;
      if (type === undefined || missing === undefined) return {};
      const context = enrollmentContext(interaction, missing);
      const result = await confirmNewKey(context, await keyRegistration(context, type), response);
      return continueWithNewFactor(interaction, missing, result);
    }),
    "send-new-factor-code": action({
      summary: "Send another code to the new phone",
      fields: {
        channel: messageTypeSchema
          .exactOptional()
          .meta({ description: "The channel for this code and later ones. Default: the channel of the last code" }),
      },
    })(async (interaction, { channel }, { rendering }) => {
      const factor = await newFactor(interaction);
      const target = factor && newFactorTarget(factor);
      const { missingFactor: missing } = interaction;
      if (factor === undefined || target === undefined || missing === undefined) return {};
      const refusal = await resendCode(contextOf(interaction, missing), { factor, target }, { channel, form: rendering });
      if (refusal !== undefined) return { problem: refusal.problem, refusal: refusal.error };
      const sent = sentNow(interaction, missing, channel === undefined ? target : { ...target, channel });
      return { change: (progress) => ({ ...progress, factor_code: sent }) };
    }),
    "other-new-factor": action({ summary: "Choose another factor to add, or another number", fields: {} })(() => ({
      leaves: [factorProgress, addFactorProgress, newPhoneProgress],
    })),
    "other-account": otherAccount,
  },
});

export type AddFactorScreen = z.output<typeof definition.screen>;

/** Requires the user to add a second factor. No session exists until it is confirmed. */
export const addFactorStep = step(definition, {
  requiresSession: false,
  async decide(interaction) {
    if (isFrozen(interaction)) return showScreen({ name: "add-factor", options: [], frozen: true });
    const options = addableTypes(interaction);
    const { login, progress, missingFactor: missing } = interaction;
    if (options.length === 0 || missing === undefined) return passStep;
    // The page is shown after a login session was created.
    if (login === undefined) return showScreen({ name: "add-factor", options: [...options] });
    const factor = await newFactor(interaction);
    const target = factor && newFactorTarget(factor);
    const { factor_choice: chosen, rejected_phone: rejectedPhone } = progress;
    const last = target && lastCode(interaction, { type: target.type, target, targets: [target] });
    const screen = await enrollmentScreen(contextOf(interaction, missing), {
      options,
      chosen: chosen?.type,
      factor,
      ...(last && { last }),
    });
    const isNumberMissing = screen.factor === "phone" && screen.sentTo === undefined;
    return showScreen({ ...screen, ...(isNumberMissing && rejectedPhone !== undefined && { rejectedPhone }) });
  },
});
