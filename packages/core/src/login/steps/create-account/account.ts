import type { Row } from "../../../data/schema.ts";
import { dropNewSession } from "../../../domain/sessions/session.ts";
import { findAccount, readIdentifier } from "../../../domain/login/identifier.ts";
import { recordLogin } from "../../../domain/login/record-login.ts";
import { checkPolicy, passwordRules } from "../../../domain/passwords/policy.ts";
import { createUser } from "../../../domain/users/create-user.ts";
import { isPosternError } from "../../../errors.ts";
import { databaseOptions } from "../../../model/connections/strategies/database-options.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import type { CreateAccountScreen, FlowProblem } from "../../screen.ts";
import { beginSession, type BegunSession } from "../../begin-session.ts";
import type { OpenLogin } from "../../../auth/login-steps.ts";

/**
 * Asks somebody who is invited and has no account yet for the password of one. Whoever holds the ticket may be told that there is none.
 * Undefined where there is an account, where the invitation is not to be had, and where an address and a password do not make an account.
 */
export async function accountScreen(
  { tenant, request, login }: OpenLogin,
  connection: Row<"connections">,
): Promise<CreateAccountScreen | undefined> {
  if (request.invitation === undefined || login.progress.has_account === true || !makesAccounts(connection)) return undefined;
  const { data, environment } = tenant;
  const [invitation] = await data.invitations.find({ where: { id: request.invitation.id }, limit: 1 });
  const organization = invitation && (await tenant.organization(invitation.organization_id));
  if (invitation === undefined || organization === undefined) return undefined;
  if (invitation.accepted_at !== null || invitation.expires_at <= environment.clock.now()) return undefined;
  const email = invitation.invitee_email;
  if ((await findAccount(data, connection, readIdentifier(connection, email))) !== undefined) return undefined;
  return {
    name: "create-account",
    organization: organizationLook(organization),
    inviter: invitation.inviter_name,
    email,
    rules: passwordRules("", databaseOptions(connection)),
  };
}

/** The signup page of a connection may be closed: an invitation opens it for one person. */
function makesAccounts(connection: Row<"connections">): boolean {
  const { attributes, requires_username: needsUsername = false, authentication_methods: methods } = databaseOptions(connection);
  if (needsUsername || methods?.password?.signup_behavior === "block") return false;
  return attributes === undefined || attributes.email?.identifier?.active === true;
}

const problems: { readonly [fault: string]: FlowProblem } = {
  PasswordStrengthError: "password-too-weak",
  PasswordDictionaryError: "password-too-common",
  PasswordNoUserInfoError: "password-personal",
};

/** Why a password does not make that account. Undefined: it does. */
export function passwordProblem(connection: Row<"connections">, { email }: CreateAccountScreen, password: string): FlowProblem | undefined {
  if (password === "") return "password-missing";
  const fault = checkPolicy(password, databaseOptions(connection), { email });
  return fault && (problems[fault.name] ?? "password-too-weak");
}

/**
 * Makes the account. Its address is not verified: whoever made the invitation knows the ticket as well.
 * @returns undefined where somebody made it, or changed it, meanwhile.
 */
export async function createAccount(
  open: OpenLogin,
  connection: Row<"connections">,
  { email }: CreateAccountScreen,
  password: string,
): Promise<{ readonly user: Row<"users">; readonly begun: BegunSession } | undefined> {
  const { tenant, client } = open;
  const { environment, data, requestInfo } = tenant;
  try {
    const created = await createUser(environment, data, connection, { connection: connection.name, email, password });
    const begun = await beginSession(open, created.user_id, created, connection);
    const user = await recordLogin({ environment, data, ip: requestInfo.ip }, created, created);
    if (user === undefined) {
      await dropNewSession(data, begun.session);
      return undefined;
    }
    await tenant.audit({
      type: "ss",
      client: { client_id: client.record.client_id, name: client.record.name },
      connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
      user: { user_id: user.user_id, name: user.name },
    });
    return { user, begun };
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
