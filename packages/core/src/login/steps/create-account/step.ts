import * as z from "zod";
import type { Row } from "../../../store/schema.ts";
import { findAccount, readIdentifier } from "../../../identity/login/identifier.ts";
import { databaseOptions } from "../../../model/connections/strategies/database-options.ts";
import type { Interaction } from "../../interaction.ts";
import { newPasswordProblems, newPasswordRuleSchema, rulesFor } from "../../new-password.ts";
import { connectionFor, methodsFor } from "../../available-methods.ts";
import { action, showScreen, passStep, describeStep, step, type ActionResult } from "../../step.ts";
import { findInvitationOf, invitedToSchema, toInvitedTo } from "../invitation/invitation.ts";
import { signInByPassword } from "../password/sign-in.ts";
import { accountRefused } from "../problems.ts";
import { createInvitedAccount } from "./account.ts";

const definition = describeStep({
  name: "create-account",
  summary: "Requests the password for an invited visitor's new account",
  screenFields: {
    ...invitedToSchema.shape,
    email: z.string().meta({ description: "The invited email address, which the account will have" }),
    rules: z.array(newPasswordRuleSchema).readonly().meta({ description: "The rules for the password" }),
  },
  problems: { ...newPasswordProblems, "no-account": accountRefused },
  silentError: ["login_required", "Login required"],
  actions: {
    "create-account": action({
      summary: "Create the account and accept the invitation",
      fields: { password: z.string().max(10_000).exactOptional().meta({ description: "The password of the new account" }) },
    })(async (interaction, { password = "" }, { rendering }) => createAndJoin(interaction, password, rendering)),
    "have-account": action({ summary: "Sign in with an existing account", fields: {} })(() => ({
      change: (progress) => ({ ...progress, has_account: true }),
    })),
  },
});

export type CreateAccountScreen = z.output<typeof definition.screen>;

/** Asks an invited visitor who has no account for the password of a new one. */
export const createAccount = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    if (session !== undefined || interaction.progress.has_account === true) return passStep;
    const screen = await screenFor(interaction);
    return screen === undefined ? passStep : showScreen(screen);
  },
  revisit: async (interaction, session) => (session === undefined ? screenFor(interaction) : undefined),
});

/**
 * Returns the screen. It reveals that the invited email address has no account, which the holder of the invitation
 * ticket may learn. Returns undefined if the account exists, if the invitation cannot be used, or if the connection
 * requires more than an email address and a password for an account.
 */
async function screenFor(interaction: Interaction): Promise<CreateAccountScreen | undefined> {
  const { tenant } = interaction;
  if (interaction.request.invitation === undefined) return undefined;
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  if (connection === undefined || !canCreateAccount(connection)) return undefined;
  const found = await findInvitationOf(interaction);
  if (found === undefined || found.invitation.accepted_at !== null) return undefined;
  const { expires_at: expiresAt, invitee_email: email } = found.invitation;
  if (expiresAt <= tenant.now()) return undefined;
  if ((await findAccount(tenant.data, connection, await readIdentifier(connection, email))) !== undefined) return undefined;
  return { name: "create-account", ...toInvitedTo(found), email, rules: rulesFor(connection, "create-account", interaction.progress) };
}

/**
 * Whether an invited visitor can create an account with an email address and a password. This does not depend on
 * whether the connection allows self-service sign-up.
 */
function canCreateAccount(connection: Row<"connections">): boolean {
  const { attributes, requires_username: needsUsername = false, authentication_methods: methods } = databaseOptions(connection);
  if (needsUsername || methods?.password?.signup_behavior === "block") return false;
  return attributes === undefined || attributes.email?.identifier?.active === true;
}

/**
 * Creates an account for an invited visitor, signs them in and accepts the invitation: one button on the page does all
 * three.
 */
async function createAndJoin(interaction: Interaction, password: string, rendering: string | undefined): Promise<ActionResult> {
  const { request } = interaction;
  const connection = connectionFor(await methodsFor(interaction), "pwd");
  if (connection === undefined || request.invitation === undefined) return {};
  const { email } = request.invitation;
  if (password === "") return { problem: "password-missing" };
  const screen = await screenFor(interaction);
  // If the visitor clicks twice, the first request creates the account and the second one signs in to it.
  const created = screen && (await createInvitedAccount(interaction, connection, { email, password }));
  if (created?.problem !== undefined) return created;
  return acceptInvitation(created ?? (await signInByPassword(interaction, connection, { identifier: email, password, rendering })));
}

/**
 * Adds the acceptance of the invitation to the result of a sign-in. The acceptance also applies if the user must pass a
 * second factor first.
 */
function acceptInvitation({ problem, change, signedIn, ...result }: ActionResult): ActionResult {
  if (problem !== undefined || change === undefined) return {};
  return {
    ...result,
    ...(signedIn && { signedIn }),
    change: (progress) => {
      const next = change(progress);
      const isPending = next.pending !== progress.pending;
      const joinedBy = signedIn?.browser.user.user_id ?? (isPending ? next.pending?.proof.user_id : undefined);
      return joinedBy === undefined ? progress : { ...next, joined_by: joinedBy };
    },
  };
}
