import { factorKind } from "../../../model/factors/factor-types.ts";
import { auditClient, auditConnection } from "../../../logs/audit.ts";
import { signUp } from "../../../identity/users/sign-up.ts";
import { registrationOptions, verifyRegistration, type Registration } from "../../../identity/webauthn/registration.ts";
import { PosternError } from "../../../errors.ts";
import type { CreationOptions } from "../../../model/factors/webauthn.ts";
import { foldEmail } from "../../../model/email-address.ts";
import type { Row } from "../../../store/schema.ts";
import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { signUpConnection, wantsAccount } from "../sign-up/connection.ts";
import { canSignUpWithPasskey } from "../sign-up/passkey.ts";
import { continueSignUp } from "../sign-up/submit.ts";
import { parseKeyResponse } from "../webauthn/key-response.ts";

/** The account that the visitor is creating. */
interface NewAccount {
  readonly connection: Row<"connections">;
  readonly typed: { readonly email?: string; readonly username?: string; readonly phone_number?: string };
  /** The identifier that the browser shows next to the passkey. */
  readonly identifier: string;
  /** The part of the user id after the connection name. */
  readonly id: string;
  readonly registration: Registration;
}

/**
 * Returns the account that the visitor is creating with a passkey. Undefined if they are not, or if the connection no
 * longer allows it.
 *
 * The user id derives from the login session and the identifiers. Submitting the form again therefore creates at most
 * one account, and no two accounts share a user handle: an authenticator would overwrite the passkey of the first.
 */
export async function newAccountOf(interaction: Interaction): Promise<NewAccount | undefined> {
  const { tenant, login, progress } = interaction;
  const { typed = {}, passkey_sign_up: usesPasskey } = progress;
  if (login === undefined || usesPasskey !== true || !wantsAccount(interaction)) return undefined;
  const connection = await signUpConnection(interaction);
  if (connection === undefined || !(await canSignUpWithPasskey(interaction, connection))) return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const { email = "", username = "", phone_number: phone = "" } = typed;
  const identifiers = JSON.stringify([foldEmail(email), username, phone]);
  const id = await tenant.secrets.fingerprints.of("account with a passkey", tenant.id, login.id, identifiers);
  const registration: Registration = {
    relyingParty,
    boundTo: login.id,
    userId: `${connection.name}|${id}`,
    factors: [],
    type: "passkey",
    userVerification: "required",
  };
  return { connection, typed, identifier: email || username || phone, id, registration };
}

/** Returns the options with which the browser creates the passkey. */
export async function passkeyCreation({ tenant }: Interaction, { registration, identifier }: NewAccount): Promise<CreationOptions> {
  return registrationOptions(tenant, registration, { name: identifier });
}

/**
 * Creates an account with the passkey whose response was submitted, and continues like a sign-up with a password: the
 * page does not reveal whether an account with the identifiers existed.
 * @param response the response as JSON.
 * @param form the rendering id of the form.
 */
export async function createAccountWithPasskey(
  interaction: Interaction,
  response: string,
  form: string | undefined,
): Promise<ActionResult> {
  const { tenant, client, progress } = interaction;
  const account = await newAccountOf(interaction);
  if (account === undefined) return {};
  const { connection, typed, id, registration } = account;
  const verified = await verifyRegistration(tenant, registration, parseKeyResponse(response));
  if (verified.outcome === "rejected") {
    const { reason, detail } = verified;
    await tenant.audit({
      type: factorKind("passkey").events.rejected,
      description: "The passkey of a new account was rejected.",
      details: { factor: "passkey", reason, ...(detail !== undefined && { detail }) },
      ...auditClient(client),
      ...auditConnection(connection),
    });
    return { problem: "key-rejected" };
  }
  const { values, userVerified } = verified;
  const result = await signUp(tenant, { connection, client, sent: typed, passkey: values, formId: id, earlier: progress.made });
  switch (result.kind) {
    case "closed":
    case "invalid":
    case "refused":
      return {};
    case "denied":
      return { problem: "no-account", refusal: new PosternError("access_denied", result.message) };
    case "taken":
    case "created": {
      if (result.kind === "taken" && result.fields.includes("username")) return { problem: "username-taken", recorded: result.recorded };
      const own = result.kind === "created" ? result.user : undefined;
      const { identifiers, recorded } = result;
      const next = await continueSignUp(interaction, { connection, own, identifiers }, typed, form, { method: "passkey", userVerified });
      return { ...next, recorded };
    }
  }
}
