import * as z from "zod";
import type { Row } from "../../../data/schema.ts";
import { findAccount, readIdentifier } from "../../../domain/login/identifier.ts";
import { checkPolicy, passwordRules, type PasswordFault } from "../../../domain/passwords/policy.ts";
import type { PasswordRule } from "../../../domain/passwords/strength.ts";
import { databaseOptions } from "../../../model/connections/strategies/database-options.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, proofsFor } from "../../possible-proofs.ts";
import { action, ask, pass, describeStep, step, type Taken } from "../../step.ts";
import { findInvitationOf, InvitedTo, toInvitedTo } from "../invitation/invitation.ts";
import { passwordMissing } from "../problems.ts";
import { proved, signInByPassword } from "../password/sign-in.ts";
import { makeAccount } from "./account.ts";

/** A rule that a password must keep to. `message` has `%d` and `%s` for the values of `format`; `items` are the kinds of characters that it is about. */
const Rule: z.ZodType<PasswordRule> = z
  .strictObject({
    code: z.string().meta({ description: "Names the rule" }),
    message: z.string().meta({ description: "The rule in English, with %d and %s where a value of `format` stands" }),
    format: z
      .array(z.union([z.string(), z.number()]))
      .readonly()
      .exactOptional()
      .meta({ description: "The values of `message`, in their order" }),
    verified: z.boolean().meta({ description: "Whether the password keeps to it. There is none yet: false" }),
    items: z
      .lazy(() => z.array(Rule).readonly())
      .exactOptional()
      .meta({ description: "The kinds of characters that the rule is about" }),
  })
  .meta({ id: "PasswordRule", description: "A rule that a password must keep to" });

const definition = describeStep({
  name: "create-account",
  summary: "Asks somebody who is invited and has no account yet for the password of one",
  shows: {
    ...InvitedTo.shape,
    email: z.string().meta({ description: "The address that is invited, and that the account will have" }),
    rules: z.array(Rule).readonly().meta({ description: "What the password must keep to" }),
  },
  problems: {
    "password-missing": passwordMissing,
    "password-too-weak": { text: "passwordTooWeak", field: "password", error: ["invalid_request", "body: 'password' is too weak"] },
    "password-too-common": { text: "passwordTooCommon", field: "password", error: ["invalid_request", "body: 'password' is too common"] },
    "password-personal": {
      text: "passwordPersonal",
      field: "password",
      error: ["invalid_request", "body: 'password' holds the person's name or address"],
    },
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "create-account": action({
      summary: "Make the account, and join with it",
      fields: { password: z.string().max(10_000).exactOptional().meta({ description: "For the new account" }) },
    })(async (interaction, { password = "" }, { rendering }) => make(interaction, password, rendering)),
    "have-account": action({ summary: "Sign in with an account that there is", fields: {} })(() => ({
      change: (progress) => ({ ...progress, has_account: true }),
    })),
  },
});

/** What the step shows. */
export type CreateAccountScreen = z.output<typeof definition.screen>;

/** Asks somebody who is invited and has no account yet for the password of one. */
export const createAccount = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    if (person !== undefined || interaction.progress.has_account === true) return pass;
    const screen = await screenFor(interaction);
    return screen === undefined ? pass : ask(screen);
  },
  revisit: async (interaction, person) => (person === undefined ? screenFor(interaction) : undefined),
});

/**
 * Whoever holds the ticket may be told that there is no account yet. Undefined where there is one, where the invitation is not to be had,
 * and where an address and a password do not make an account.
 */
async function screenFor(interaction: Interaction): Promise<CreateAccountScreen | undefined> {
  const { tenant } = interaction;
  if (interaction.request.invitation === undefined) return undefined;
  const connection = connectionFor(await proofsFor(interaction), "pwd");
  if (connection === undefined || !makesAccounts(connection)) return undefined;
  const found = await findInvitationOf(interaction);
  if (found === undefined || found.invitation.accepted_at !== null) return undefined;
  const { expires_at: expiresAt, invitee_email: email } = found.invitation;
  if (expiresAt <= tenant.environment.clock.now()) return undefined;
  if ((await findAccount(tenant.data, connection, readIdentifier(connection, email))) !== undefined) return undefined;
  return { name: "create-account", ...toInvitedTo(found), email, rules: passwordRules("", databaseOptions(connection)) };
}

/** The signup page of a connection may be closed: an invitation opens it for one person. */
function makesAccounts(connection: Row<"connections">): boolean {
  const { attributes, requires_username: needsUsername = false, authentication_methods: methods } = databaseOptions(connection);
  if (needsUsername || methods?.password?.signup_behavior === "block") return false;
  return attributes === undefined || attributes.email?.identifier?.active === true;
}

const problemOf: { readonly [Fault in PasswordFault["name"]]: string } = {
  PasswordStrengthError: "password-too-weak",
  PasswordDictionaryError: "password-too-common",
  PasswordNoUserInfoError: "password-personal",
  PasswordHistoryError: "password-too-weak",
};

/** Makes the account of somebody who is invited, and goes on as them: who makes it with this button joins. */
async function make(interaction: Interaction, password: string, rendering: string | undefined): Promise<Taken> {
  const { request } = interaction;
  const connection = connectionFor(await proofsFor(interaction), "pwd");
  if (connection === undefined || request.invitation === undefined) return {};
  const { email } = request.invitation;
  if (password === "") return { problem: "password-missing" };
  const screen = await screenFor(interaction);
  // An impatient second click finds the account that the first one made, and signs in to it.
  if (screen === undefined) return joining(await signInByPassword(interaction, connection, { identifier: email, password, rendering }));
  const fault = checkPolicy(password, databaseOptions(connection), { email });
  if (fault !== undefined) return { problem: problemOf[fault.name] };
  const made = await makeAccount(interaction, connection, email, password);
  return joining(
    made === undefined
      ? await signInByPassword(interaction, connection, { identifier: email, password, rendering })
      : proved(interaction, made.user, email, made.begun),
  );
}

/** The button says that making the account is joining. */
function joining(taken: Taken): Taken {
  const joinedBy = taken.signedIn?.browser.user.user_id;
  if (joinedBy === undefined) return {};
  return { ...taken, change: (progress) => ({ ...(taken.change?.(progress) ?? progress), joined_by: joinedBy }) };
}
