import { resetPassword, type PasswordReset, type PasswordResetOutcome } from "../identity/users/reset-password.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { passwordChangedMail } from "./mails/password-changed.ts";
import { sendMail, type Recipient } from "./send.ts";

/** A password reset, with the context for the mail that reports it. */
interface MailedPasswordReset extends PasswordReset, Pick<Recipient, "organization" | "uiLocales"> {}

/** Sets a new password ({@link resetPassword}), and notifies the user by mail that their password was changed. */
export async function setNewPassword(tenant: RequestTenant, reset: MailedPasswordReset): Promise<PasswordResetOutcome> {
  const outcome = await resetPassword(tenant, reset);
  if (outcome.kind !== "done" || outcome.account.email === "") return outcome;
  const { client, organization, uiLocales } = reset;
  const user = outcome.account;
  await sendMail(tenant, passwordChangedMail(), { to: user.email, user, client, organization, uiLocales });
  return outcome;
}
