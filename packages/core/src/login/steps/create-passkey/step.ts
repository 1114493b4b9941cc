import * as z from "zod";
import { creationOptionsSchema } from "../../../model/factors/webauthn.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { accountRefused, tooManyCodesProblem, usernameTaken } from "../problems.ts";
import { keyRejected, keyResponseField } from "../webauthn/key-response.ts";
import { createAccountWithPasskey, newAccountOf, passkeyCreation } from "./create-account.ts";
import { createPasskeyProgress } from "./progress.ts";

const definition = describeStep({
  name: "create-passkey",
  summary: "Requests a passkey for a new account",
  screenFields: {
    identifier: z.string().meta({ description: "The identifier that the visitor chose for the account" }),
    publicKey: creationOptionsSchema.meta({ description: "The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`" }),
  },
  problems: {
    "key-rejected": keyRejected,
    "no-account": accountRefused,
    "username-taken": usernameTaken,
    taken: { text: "accountTaken", error: ["conflict", "no account can be created with these fields"] },
    "too-many-codes": tooManyCodesProblem,
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "create-passkey": action({
      summary: "Create the account with the passkey. The login continues when the visitor has verified its email address or phone number",
      fields: { response: keyResponseField },
    })(async (interaction, { response = "" }, { rendering }) => createAccountWithPasskey(interaction, response, rendering)),
    "choose-password": action({ summary: "Return to the form with a password", fields: {} })(() => ({
      leaves: [createPasskeyProgress],
    })),
  },
});

export type CreatePasskeyScreen = z.output<typeof definition.screen>;

/** Asks a visitor who signs up for a passkey instead of a password. */
export const createPasskeyStep = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    if (session !== undefined || interaction.progress.code !== undefined) return passStep;
    const account = await newAccountOf(interaction);
    if (account === undefined) return passStep;
    return showScreen({ name: "create-passkey", identifier: account.identifier, publicKey: await passkeyCreation(interaction, account) });
  },
});
