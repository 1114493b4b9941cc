import * as z from "zod";
import { openTotpSecret } from "../../../identity/factors/totp.ts";
import { factorTypeSchema, type FactorType } from "../../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../../model/factors/multifactor.ts";
import { readPhoneNumber } from "../../../model/phone-number.ts";
import { creationOptionsSchema } from "../../../model/factors/webauthn.ts";
import { fixedPhoneChannelState, phoneChannelState } from "../../../messages/phone-channels.ts";
import { multifactorAuthenticationRequired } from "../../../model/sdk-texts.ts";
import type { Interaction } from "../../interaction.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { lockedState } from "../../locked-factor.ts";
import { formOf, repeatPass } from "../../pass-factor.ts";
import { sentState, sendCodeTo } from "../factor/chosen-factor.ts";
import { enteredCodeSchema, factorCodeFields } from "../factor/code-fields.ts";
import { otherAccount } from "../other-account.ts";
import { alreadyEnrolledProblem, phoneMisspelledIn, rejectMisspelled, tooManyCodesProblem } from "../problems.ts";
import { keyRejected, keyResponseField } from "../webauthn/key-response.ts";
import { confirmNewFactor, otherFactorAdded } from "./confirm.ts";
import {
  addableTypes,
  authenticatorUri,
  isFrozen,
  isOvertaken,
  newFactor,
  newFactorTarget,
  setPhoneChannel,
  startPhone,
  startTotp,
} from "./new-factor.ts";
import { chosenKeyType, confirmNewKey, keyCreation } from "./new-key.ts";

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
    "code-missing": { text: "factorCodeMissing", field: "code", error: ["invalid_request", "body: 'code' is missing"] },
    "wrong-code": { text: "factorCodeWrong", field: "code", error: ["invalid_grant", "the code is wrong, already used or expired"] },
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
    "too-many-attempts": {
      text: "factorTooManyAttempts",
      error: ["TOO_MANY_REQUESTS", "Too many failed codes. Wait for some minutes before retrying."],
    },
    "too-many-codes": tooManyCodesProblem,
    "too-many-new-numbers": {
      text: "newNumbersTooMany",
      error: ["TOO_MANY_REQUESTS", "Too many codes were requested for new phone numbers. Try again later."],
    },
    "already-enrolled": alreadyEnrolledProblem,
    "key-rejected": keyRejected,
  },
  silentError: ["login_required", multifactorAuthenticationRequired],
  actions: {
    "choose-new-factor": action({
      summary: "Choose the factor to add",
      fields: { factor: factorTypeSchema.meta({ description: "The type of the factor" }) },
    })(async (interaction, { factor }) => {
      if (!addableTypes(interaction).includes(factor)) return {};
      return factor === "totp" ? startTotp(interaction) : { change: (progress) => ({ ...progress, factor_choice: factor }) };
    }),
    "enter-phone": action({
      summary: "Enter the number of the new phone. A code is sent to it",
      fields: { phone: z.string().max(100).exactOptional().meta({ description: "The number with + and the country code" }) },
    })(async (interaction, { phone = "" }, { rendering }) => {
      if (!addableTypes(interaction).includes("phone")) return {};
      const read = await readPhoneNumber(phone);
      if ("number" in read) return startPhone(interaction, read.number, rendering);
      const rejected = read.correction === undefined ? { problem: "phone-invalid" } : rejectMisspelled("phone", read);
      return { ...rejected, change: (progress) => ({ ...progress, rejected_phone: phone }) };
    }),
    "confirm-new-factor": action({
      summary: "Enter the first code of the new factor",
      fields: {
        code: enteredCodeSchema,
      },
    })(async (interaction, { code = "" }, { rendering }) => {
      const factor = await newFactor(interaction);
      const form = await formOf(interaction, { rendering, code });
      if (factor === undefined) return (await repeatPass(interaction, form)) ?? {};
      if (isOvertaken(interaction)) return otherFactorAdded;
      if (!addableTypes(interaction).some((type) => type === factor.type)) return {};
      return code.trim() === "" ? { problem: "code-missing" } : confirmNewFactor(interaction, { factor, code, form });
    }),
    "confirm-key": action({
      summary: "Submit the response of the new passkey or security key",
      fields: { response: keyResponseField },
    })(async (interaction, { response = "" }) => {
      if (isOvertaken(interaction)) return otherFactorAdded;
      return chosenKeyType(interaction) === undefined ? {} : confirmNewKey(interaction, response);
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
      const target = factor && newFactorTarget(factor, channel);
      const { missingFactor: missing } = interaction;
      if (factor === undefined || target === undefined || missing === undefined) return {};
      const result = await sendCodeTo(interaction, {
        target,
        user: missing.user,
        purpose: "add-factor",
        form: rendering,
        choose: (progress) => progress,
      });
      if (channel !== undefined && result.problem === undefined) await setPhoneChannel(interaction.tenant, factor, channel);
      return result;
    }),
    "other-new-factor": action({ summary: "Choose another factor to add, or another number", fields: {} })(() => ({
      change: ({ factor_choice: _, new_factor: __, factor_code: ___, rejected_phone: ____, ...progress }) => progress,
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
    if (options.length === 0) return passStep;
    const channel = options.includes("phone") ? fixedPhoneChannelState(interaction.tenant, undefined) : {};
    return showScreen({ name: "add-factor", options: [...options], ...channel, ...(await chosenPart(interaction, options)) });
  },
});

async function chosenPart(
  interaction: Interaction,
  options: readonly FactorType[],
): Promise<Omit<AddFactorScreen, "name" | "options" | "frozen">> {
  const { tenant, progress, missingFactor: missing } = interaction;
  const factor = await newFactor(interaction);
  if (factor?.type === "totp" && missing !== undefined) {
    const secret = await openTotpSecret(tenant, factor);
    const { user } = missing;
    return {
      factor: "totp",
      ...(await lockedState(tenant, user.user_id, "totp")),
      totp: { secret, uri: authenticatorUri(tenant, user, secret) },
    };
  }
  const target = factor && newFactorTarget(factor);
  // The user typed the number a moment ago in this browser. Unmasked, it shows a typing mistake.
  if (target !== undefined && missing !== undefined) {
    const sent = { ...sentState(interaction, target), sentTo: target.address };
    const locked = await lockedState(tenant, missing.user.user_id, "phone");
    return { factor: "phone", ...sent, ...phoneChannelState(tenant, target.channel), ...locked };
  }
  const keyType = chosenKeyType(interaction);
  if (keyType !== undefined) return { factor: keyType, ...(await keyCreation(interaction)) };
  if (progress.factor_choice !== "phone" || !options.includes("phone")) return {};
  const { rejected_phone: rejectedPhone } = progress;
  return { factor: "phone", ...(rejectedPhone !== undefined && { rejectedPhone }) };
}
