import * as z from "zod";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { reauthenticationFieldSchema, reauthentication } from "../reauthentication.ts";
import { invitedToSchema, invitedTo } from "../invitation/invitation.ts";
import { readCodeAddress } from "../../../identity/login/code-address.ts";
import { findMisspelledPhone, identifierKinds } from "../../../identity/login/identifier.ts";
import { codeFor, methodsFor } from "../../available-methods.ts";
import { requestLoginCode } from "../code/request.ts";
import { identifierMissing, passwordMissing, phoneMisspelledIn, readTyped, rejectMisspelled, tooManyCodesProblem } from "../problems.ts";
import { passkeyProblems, passkeySignIn, passkeySignInSchema, usePasskey } from "../webauthn/passkey-sign-in.ts";
import { passkeySupportField, withPasskeySupport } from "../webauthn/passkey-support.ts";
import { identifierProgress } from "../identifier/progress.ts";
import { resetConnection } from "../reset-password/connection.ts";
import { passwordConnection, signInByPassword } from "./sign-in.ts";

const definition = describeStep({
  name: "password",
  summary: "Requests the password of the account that the visitor named",
  screenFields: {
    identifier: z.string().meta({ description: "The identifier of the account" }),
    again: reauthenticationFieldSchema,
    code: z.enum(["email", "sms"]).exactOptional().meta({ description: "The channel of a code that the visitor can use instead" }),
    reset: z.literal(true).exactOptional().meta({ description: "The visitor can reset the password" }),
    passkey: passkeySignInSchema.exactOptional(),
    invitation: invitedToSchema.exactOptional(),
  },
  problems: {
    "identifier-missing": identifierMissing,
    "password-missing": passwordMissing,
    "wrong-credentials": { text: "wrongCredentials", field: "password", error: ["INVALID_CREDENTIALS", "Wrong email or password."] },
    ...phoneMisspelledIn("identifier"),
    "too-many-codes": tooManyCodesProblem,
    ...passkeyProblems,
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "sign-in": action({
      summary: "Sign in with a password. Also accepts the identifier, if it was not submitted before",
      fields: {
        identifier: z.string().max(1000).exactOptional().meta({ description: "Default: the identifier that was submitted before" }),
        password: z.string().max(10_000).exactOptional().meta({ description: "The password" }),
        ...passkeySupportField,
      },
    })(async (interaction, { identifier = "", password: typed = "", passkeys }, { rendering }) => {
      const named = readTyped(identifier.trim() === "" ? (interaction.progress.identifier ?? "") : identifier);
      if (named === undefined) return { problem: "identifier-missing" };
      if (typed === "") return { problem: "password-missing", change: (progress) => ({ ...progress, identifier: named }) };
      const connection = await passwordConnection(interaction);
      const misspelled = await findMisspelledPhone(identifierKinds(connection), named);
      if (misspelled !== undefined) return rejectMisspelled("identifier", misspelled);
      const result = await signInByPassword(interaction, connection, { identifier: named, password: typed, rendering });
      return withPasskeySupport(result, passkeys);
    }),
    "use-passkey": usePasskey,
    "send-code": action({ summary: "Send a code to sign in with", fields: {} })(async (interaction, _, { rendering }) => {
      const { identifier } = interaction.progress;
      const code = identifier === undefined ? undefined : codeFor(await methodsFor(interaction), await readCodeAddress(identifier));
      return code === undefined || identifier === undefined ? {} : requestLoginCode(interaction, code, identifier, rendering);
    }),
    "forgot-password": action({ summary: "Reset the password", fields: {} })(() => ({
      change: (progress) => ({ ...progress, aim: "reset-password" }),
    })),
    "change-identifier": action({ summary: "Change the identifier", fields: {} })(() => ({
      leaves: [identifierProgress],
    })),
  },
});

export type PasswordScreen = z.output<typeof definition.screen>;

/** Asks for the password of the account that the visitor named by an identifier. */
export const passwordStep = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { identifier } = interaction.progress;
    if (session !== undefined || identifier === undefined) return passStep;
    await passwordConnection(interaction);
    const code = codeFor(await methodsFor(interaction), await readCodeAddress(identifier));
    const reset = await resetConnection(interaction);
    const invitation = await invitedTo(interaction);
    return showScreen({
      name: "password",
      identifier,
      ...reauthentication(interaction),
      ...(code && { code: code.address.channel }),
      ...(reset && { reset: true }),
      ...(await passkeySignIn(interaction)),
      ...(invitation && { invitation }),
    });
  },
});
