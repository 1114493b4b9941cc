import type { Row } from "../../../store/schema.ts";
import type { CodeAddress } from "../../../identity/login/code-address.ts";
import type { AccountField } from "../../../identity/users/sign-up-fields.ts";
import { signUp, type FieldFault, type Identifiers } from "../../../identity/users/sign-up.ts";
import { PosternError } from "../../../errors.ts";
import { canMail, canText } from "../../../messages/send.ts";
import { databaseOptions } from "../../../model/connections/strategies/database-options.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { refusedPassword } from "../../new-password.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";
import { rejectMisspelled } from "../problems.ts";
import { sendSignUpCode } from "./verify.ts";

type Typed = { readonly [Field in AccountField | "password"]?: string };

/** How the user of a new account signs in. */
type NewAccountMethod = { readonly method: "pwd" } | { readonly method: "passkey"; readonly userVerified: boolean };

/** The account that a sign-up is about. */
interface SignUpAccount {
  readonly connection: Row<"connections">;
  /** The account that the visitor created. Undefined if another user has an account with these identifiers. */
  readonly own: Row<"users"> | undefined;
  readonly identifiers: Identifiers;
}

/**
 * Creates an account from the submitted fields. If a code can verify its email address or phone number, the visitor
 * must enter that code first. The page then does not reveal whether the account existed already; only the message to
 * the owner does. If no code can be sent, the visitor continues immediately.
 */
export async function submitSignUp(
  interaction: Interaction,
  connection: Row<"connections">,
  { password = "", ...fields }: Typed,
  form: string | undefined,
): Promise<ActionResult> {
  const { tenant, client, progress } = interaction;
  const again = (problem: string): ActionResult => ({ problem, change: (changed) => ({ ...changed, typed: typedFields(fields) }) });
  if (password === "") return again("password-missing");

  // A form that is submitted several times with the same fields creates at most one account, even if the process
  // crashed before it stored the result.
  const typed = JSON.stringify([fields.email, fields.username, fields.phone_number, password]);
  const formId = form && (await tenant.secrets.fingerprints.of("form of an account", tenant.id, loginOf(interaction).id, form, typed));
  const sent = { ...fields, password };
  const result = await signUp(tenant, { connection, client, sent, formId, earlier: progress.made });
  switch (result.kind) {
    case "closed":
      return {};
    case "invalid":
      return { ...again(""), ...rejectField(result.fault) };
    case "denied":
      return { ...again("no-account"), refusal: new PosternError("access_denied", result.message) };
    case "refused":
      return { ...again(""), ...refusedPassword(result.fault), recorded: result.recorded };
    case "taken": {
      const { fields: taken, identifiers, recorded } = result;
      if (taken.includes("username")) return { ...again("username-taken"), recorded };
      return { ...(await continueSignUp(interaction, { connection, own: undefined, identifiers }, fields, form)), recorded };
    }
    case "created": {
      const { user: own, identifiers, recorded } = result;
      return { ...(await continueSignUp(interaction, { connection, own, identifiers }, fields, form)), recorded };
    }
  }
}

/**
 * Continues after an account was created, or after another user's account was found: sends the code that verifies its
 * email address or phone number, or signs the visitor in if no code can be sent.
 * @param form the rendering id of the form.
 * @param method the authentication method of the new account.
 */
export async function continueSignUp(
  interaction: Interaction,
  account: SignUpAccount,
  fields: Typed,
  form: string | undefined,
  method: NewAccountMethod = { method: "pwd" },
): Promise<ActionResult> {
  const { connection, own } = account;
  const passkey = method.method === "passkey" && { passkey: { at: interaction.tenant.now(), user_verified: method.userVerified } };
  const progress = {
    ...interaction.progress,
    typed: typedFields(fields),
    ...(own && { made: { user_id: own.user_id, password_id: own.password_id, ...passkey } }),
  };
  const noted: ActionResult["change"] = (current) => ({ ...current, typed: progress.typed, ...(progress.made && { made: progress.made }) });
  const address = verifiableAddress(interaction, account);
  if (address !== undefined) {
    const { change, ...sent } = await sendSignUpCode({ ...interaction, progress }, connection, address, form);
    return { ...sent, change: (current) => (change ?? ((same) => same))(noted(current)) };
  }
  const entered = own && (await enterAccount(interaction, { account: own, connection, ...method }));
  if (own === undefined || entered === undefined) return { problem: "taken", change: noted };
  return completeSignIn(interaction, entered.user, own.email || own.username || (own.phone_number ?? ""), entered.begun);
}

/**
 * Returns the email address or phone number that a code must verify. Returns undefined if no code can be sent, or if
 * the connection requires no verification.
 */
function verifiableAddress({ tenant }: Interaction, { connection, identifiers }: SignUpAccount): CodeAddress | undefined {
  const { email: emails, phone_number: phones } = databaseOptions(connection).attributes ?? {};
  const { email = "", phone_number: phone = "" } = identifiers;
  if (email !== "" && canMail(tenant) && emails?.signup?.verification?.active !== false) return { channel: "email", text: email };
  if (phone !== "" && canText(tenant) && phones?.signup?.verification?.active !== false) return { channel: "sms", text: phone };
  return undefined;
}

const problems: { readonly [Field in AccountField]: { readonly missing: string; readonly other: string } } = {
  email: { missing: "email-missing", other: "email-malformed" },
  username: { missing: "username-missing", other: "username-malformed" },
  phone_number: { missing: "phone-missing", other: "phone-malformed" },
};

/** Rejects an invalid identifier. */
export function rejectField({ field, problem, misspelled }: FieldFault): ActionResult {
  if (misspelled !== undefined) return rejectMisspelled(field, misspelled);
  return { problem: problem === "missing" ? problems[field].missing : problems[field].other };
}

/** Returns the values with which the form is filled in when it is rendered again. */
export function typedFields({ password: _, ...fields }: Typed): { [Field in AccountField]?: string } {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, text.trim().slice(0, 320)]));
}
