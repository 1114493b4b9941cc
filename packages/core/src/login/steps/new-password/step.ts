import * as z from "zod";
import type { Interaction } from "../../interaction.ts";
import { newPasswordProblems, newPasswordRuleSchema, rulesFor } from "../../new-password.ts";
import { resetAccountOf } from "../../reset-account.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { signInInstead } from "../sign-in-instead.ts";
import { requestAnotherCode, type ResetAccount } from "./reset-account.ts";
import { setPassword } from "./set-password.ts";

const definition = describeStep({
  name: "new-password",
  summary: "Requests a new password for an account whose ownership the visitor proved",
  screenFields: {
    account: z.string().meta({ description: "The account that the password is for" }),
    rules: z.array(newPasswordRuleSchema).readonly().meta({ description: "The rules for the password" }),
  },
  problems: newPasswordProblems,
  silentError: ["login_required", "Login required"],
  actions: {
    "set-password": action({
      summary: "Set the password and sign in. Ends the user's other sessions",
      fields: { password: z.string().max(10_000).exactOptional().meta({ description: "The new password" }) },
    })(async (interaction, { password = "" }, { wasAccepted }) => {
      // A user with a second factor passes it first, even if this form is sent without the page.
      if (interaction.missingFactor !== undefined) return {};
      const found = await findResetAccount(interaction);
      if (found === undefined) return (await wasAccepted()) ? acceptedBefore : requestAnotherCode;
      if (password === "") return { problem: "password-missing" };
      return setPassword(interaction, found, { password, wasAccepted });
    }),
    "sign-in-instead": signInInstead,
  },
});

export type NewPasswordScreen = z.output<typeof definition.screen>;

/** Asks for a new password for an account whose ownership the visitor proved. */
export const newPassword = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    if (session !== undefined) return passStep;
    const found = await findResetAccount(interaction);
    if (found === undefined) return passStep;
    return showScreen({
      name: "new-password",
      account: nameOf(found.account),
      rules: rulesFor(found.connection, "new-password", interaction.progress),
    });
  },
});

/** Returns the account whose password the visitor may set, and its connection. */
async function findResetAccount({ tenant, progress }: Interaction): Promise<ResetAccount | undefined> {
  const { reset } = progress;
  if (reset === undefined) return undefined;
  const [account, connection] = await Promise.all([resetAccountOf({ tenant, progress }), tenant.connections.byId(reset.connection_id)]);
  return account && connection && { account, connection };
}
