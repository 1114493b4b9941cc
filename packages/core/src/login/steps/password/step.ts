import * as z from "zod";
import { action, showScreen, pass, describeStep, step } from "../../step.ts";
import { Again, again } from "../again.ts";
import { InvitedTo, invitedTo } from "../invitation/invitation.ts";
import { codeFor, methodsFor } from "../../available-methods.ts";
import { requestLoginCode } from "../code/request.ts";
import { identifierMissing, passwordMissing, readTyped, tooManyCodes } from "../problems.ts";
import { resetConnection } from "../reset-password/connection.ts";
import { passwordConnection, signInByPassword } from "./sign-in.ts";

const definition = describeStep({
  name: "password",
  summary: "Asks for the password of the account that was named",
  shows: {
    identifier: z.string().meta({ description: "The account that was named" }),
    again: Again,
    code: z.enum(["email", "sms"]).exactOptional().meta({ description: "A code would do as well, and would be sent this way" }),
    reset: z.literal(true).exactOptional().meta({ description: "Who forgot the password can set another one" }),
    invitation: InvitedTo.exactOptional(),
  },
  problems: {
    "identifier-missing": identifierMissing,
    "password-missing": passwordMissing,
    "wrong-credentials": { text: "wrongCredentials", field: "password", error: ["INVALID_CREDENTIALS", "Wrong email or password."] },
    "too-many-attempts": {
      text: "tooManyAttempts",
      error: ["TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes."],
    },
    "too-many-codes": tooManyCodes,
    blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "sign-in": action({
      summary: "Prove who one is by a password. Takes the identifier, too, where it was not said before",
      fields: {
        identifier: z.string().max(1000).exactOptional().meta({ description: "Left out: the account that was named" }),
        password: z.string().max(10_000).exactOptional().meta({ description: "As it was typed" }),
      },
    })(async (interaction, { identifier = "", password: typed = "" }, { rendering }) => {
      const named = readTyped(identifier.trim() === "" ? (interaction.progress.identifier ?? "") : identifier);
      if (named === undefined) return { problem: "identifier-missing" };
      if (typed === "") return { problem: "password-missing", change: (progress) => ({ ...progress, identifier: named }) };
      return signInByPassword(interaction, await passwordConnection(interaction), { identifier: named, password: typed, rendering });
    }),
    "send-code": action({ summary: "Have a code sent, to prove who one is by that", fields: {} })(async (interaction, _, { rendering }) => {
      const { identifier } = interaction.progress;
      const code = identifier === undefined ? undefined : codeFor(await methodsFor(interaction), identifier);
      return code === undefined || identifier === undefined ? {} : requestLoginCode(interaction, code, identifier, rendering);
    }),
    "forgot-password": action({ summary: "Set another password", fields: {} })(() => ({
      change: (progress) => ({ ...progress, aim: "reset-password" }),
    })),
    "change-identifier": action({ summary: "Say again who one is", fields: {} })(() => ({
      change: ({ identifier: _, ...rest }) => rest,
    })),
  },
});

export type PasswordScreen = z.output<typeof definition.screen>;

/** Asks for the password of the account that the visitor named. */
export const password = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    const { identifier } = interaction.progress;
    if (person !== undefined || identifier === undefined) return pass;
    await passwordConnection(interaction);
    const code = codeFor(await methodsFor(interaction), identifier);
    const reset = await resetConnection(interaction);
    const invitation = await invitedTo(interaction);
    return showScreen({
      name: "password",
      identifier,
      ...again(interaction),
      ...(code && { code: code.address.channel }),
      ...(reset && { reset: true }),
      ...(invitation && { invitation }),
    });
  },
});
