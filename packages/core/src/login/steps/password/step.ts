import * as z from "zod";
import { action, ask, pass, describeStep, step } from "../../step.ts";
import { Again, again } from "../again.ts";
import { InvitedTo, invitedTo } from "../invitation/invitation.ts";
import { identifierMissing, passwordMissing, readTyped } from "../problems.ts";
import { passwordConnection, signInByPassword } from "./sign-in.ts";

const definition = describeStep({
  name: "password",
  summary: "Asks for the password of the account that was named",
  shows: {
    identifier: z.string().meta({ description: "The account that was named" }),
    again: Again,
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
    "change-identifier": action({ summary: "Say again who one is", fields: {} })(() => ({
      change: ({ identifier: _, ...rest }) => rest,
    })),
  },
});

/** What the step shows. */
export type PasswordScreen = z.output<typeof definition.screen>;

/** Asks for the password of the account that was named. */
export const password = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    const { identifier } = interaction.progress;
    if (person !== undefined || identifier === undefined) return pass;
    await passwordConnection(interaction);
    const invitation = await invitedTo(interaction);
    return ask({ name: "password", identifier, ...again(interaction), ...(invitation && { invitation }) });
  },
});
