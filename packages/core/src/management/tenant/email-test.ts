import { PosternError } from "../../errors.ts";
import { limitMessageWithoutCode } from "../../messages/message-limits.ts";
import { testMail } from "../../messages/mails/test-mail.ts";
import { sendMailNow } from "../../messages/send.ts";
import { emailTestSchema } from "../../model/tenant/email-provider.ts";
import { route } from "../../tenants/callers/route-context.ts";

/** The route that sends a test email. A Postern extension: Auth0 has no such endpoint. */
export const emailTest = route({
  method: "POST",
  path: "/api/v2/emails/provider/test",
  summary: "Send a test email to the caller",
  description:
    "Sends an email with the settings of the tenant to the email address of the user that the token was issued for, and to no other address. " +
    "Waits for the email sender of the host application: if it fails, `message` contains the kind of failure, not the text of its error.",
  scopes: ["update:email_provider"],
  responses: {
    200: emailTestSchema,
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many messages were sent to the email address" },
  },
})(async (_, { tenant, caller }) => {
  const user = await tenant.callerUser(caller);
  if (user === undefined) throw new PosternError("forbidden", "the token was not issued for a user");
  const { email: to } = user;
  if (to === "") throw new PosternError("invalid_request", "the user has no email address", { errorCode: "operation_not_supported" });
  const refusal = await limitMessageWithoutCode(tenant, { channel: "email", address: to, isManagement: true });
  if (refusal !== undefined) throw refusal;
  const problem = await sendMailNow(tenant, testMail(tenant.now()), { to });
  return problem === undefined
    ? { success: true, to, message: "The email sender accepted the email." }
    : { success: false, to, message: problem };
});
