import * as z from "zod";
import { signUpFields } from "../../../identity/users/sign-up-fields.ts";
import type { Interaction } from "../../interaction.ts";
import { newPasswordProblems, newPasswordRuleSchema, rulesFor } from "../../new-password.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { providerButtons, providerChoiceSchema } from "../../upstream/providers.ts";
import { continueWith, providerProblems } from "../provider/continue-with.ts";
import { accountRefused, phoneMisspelledIn, tooManyCodesProblem, usernameTaken } from "../problems.ts";
import { signInInstead } from "../sign-in-instead.ts";
import { signUpConnection, wantsAccount } from "./connection.ts";
import { canSignUpWithPasskey, choosePasskey } from "./passkey.ts";
import { submitSignUp } from "./submit.ts";

const status = (description: string) => z.enum(["required", "optional", "inactive"]).meta({ description });
const text = (description: string) => z.string().meta({ description });
const typed = (description: string, longest: number) => z.string().max(longest).exactOptional().meta({ description });

const definition = describeStep({
  name: "sign-up",
  summary: "Requests the identifiers and the password of a new account",
  screenFields: {
    fields: z
      .strictObject({
        email: status("The email address"),
        username: status("A unique username"),
        phone_number: status("The phone number in international form"),
      })
      .meta({ description: "The fields of the form. An `inactive` field is not shown" }),
    typed: z
      .strictObject({ email: text("The email address"), username: text("The username"), phone_number: text("The phone number") })
      .exactPartial()
      .meta({ description: "The values that the visitor entered before, or that the client suggests (`login_hint`)" }),
    rules: z.array(newPasswordRuleSchema).readonly().meta({ description: "The rules for the password" }),
    providers: z.array(providerChoiceSchema).readonly().exactOptional().meta({ description: "The identity providers to offer instead" }),
    passkey: z
      .literal(true)
      .exactOptional()
      .meta({ description: "The visitor can create the account with a passkey instead of a password" }),
  },
  problems: {
    "no-account": accountRefused,
    "email-missing": { text: "missingEmail", field: "email", error: ["invalid_request", "body: 'email' is missing"] },
    "email-malformed": { text: "emailMalformed", field: "email", error: ["invalid_request", "body: 'email' must be an email address"] },
    "username-missing": { text: "missingUsername", field: "username", error: ["invalid_request", "body: 'username' is missing"] },
    "username-malformed": {
      text: "usernameMalformed",
      field: "username",
      error: ["invalid_request", "body: 'username' is not allowed"],
    },
    "username-taken": usernameTaken,
    "phone-missing": { text: "missingPhone", field: "phone_number", error: ["invalid_request", "body: 'phone_number' is missing"] },
    "phone-malformed": {
      text: "phoneMalformed",
      field: "phone_number",
      error: ["invalid_request", "body: 'phone_number' must be a phone number in international form"],
    },
    ...phoneMisspelledIn("phone_number"),
    taken: { text: "accountTaken", error: ["conflict", "no account can be created with these fields"] },
    ...newPasswordProblems,
    "too-many-codes": tooManyCodesProblem,
    ...providerProblems,
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "make-account": action({
      summary: "Create an account. The login continues when the visitor has verified its email address or phone number",
      fields: {
        email: typed("The email address", 1000),
        username: typed("A unique username", 1000),
        phone_number: typed("The phone number in international form, such as `+49 151 12345678`", 1000),
        password: typed("The password of the new account", 10_000),
      },
    })(async (interaction, fields, { rendering }) => {
      const connection = await signUpConnection(interaction);
      if (connection === undefined) return {};
      return submitSignUp(interaction, connection, fields, rendering);
    }),
    "choose-passkey": action({
      summary: "Create the account with a passkey instead of a password",
      fields: {
        email: typed("The email address", 1000),
        username: typed("A unique username", 1000),
        phone_number: typed("The phone number in international form, such as `+49 151 12345678`", 1000),
      },
    })(async (interaction, fields) => {
      const connection = await signUpConnection(interaction);
      if (connection === undefined || !(await canSignUpWithPasskey(interaction, connection))) return {};
      return choosePasskey(interaction, connection, fields);
    }),
    "continue-with": continueWith,
    "sign-in-instead": signInInstead,
  },
});

export type SignUpScreen = z.output<typeof definition.screen>;

/** Asks for the identifiers and the password of a new account. */
export const signUpStep = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { code, passkey_sign_up: usesPasskey } = interaction.progress;
    if (session !== undefined || code !== undefined || usesPasskey === true || !wantsAccount(interaction)) return passStep;
    const screen = await screenFor(interaction);
    return screen === undefined ? passStep : showScreen(screen);
  },
  revisit: async (interaction, session) => (session === undefined && wantsAccount(interaction) ? screenFor(interaction) : undefined),
});

async function screenFor(interaction: Interaction): Promise<SignUpScreen | undefined> {
  const connection = await signUpConnection(interaction);
  if (connection === undefined) return undefined;
  const { email, username, phone_number } = signUpFields(connection);
  const providers = await providerButtons(interaction);
  const { progress, request } = interaction;
  const hinted = request.login_hint?.includes("@") === true ? { email: request.login_hint } : {};
  return {
    name: "sign-up",
    fields: { email, username, phone_number },
    typed: { ...hinted, ...progress.typed },
    rules: rulesFor(connection, "sign-up", progress),
    ...(providers.length > 0 && { providers }),
    ...((await canSignUpWithPasskey(interaction, connection)) && { passkey: true }),
  };
}
