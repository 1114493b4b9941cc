import type { Route } from "../../http/route.ts";
import { crossOriginAuthenticate } from "../cross-origin/authenticate.ts";
import { changePassword } from "../dbconnections/change-password.ts";
import { signup } from "../dbconnections/signup.ts";
import { usersExport } from "../exports.ts";
import { forgotPassword } from "../links/forgot-password.ts";
import { resetPasswordPage } from "../links/reset-password.ts";
import { verifyEmail } from "../links/verify-email.ts";
import { codeLink } from "../login/code-link.ts";
import { otpChallenge } from "../otp/challenge.ts";
import { passwordlessStart } from "../passwordless/start.ts";
import { passwordlessVerify } from "../passwordless/verify.ts";
import { verifyRedirect } from "../passwordless/verify-redirect.ts";

/** What apps ask for a person without a page, and what links in mails lead to. */
export const selfServiceRoutes: readonly Route[] = [
  signup,
  changePassword,
  crossOriginAuthenticate,
  passwordlessStart,
  passwordlessVerify,
  ...verifyRedirect,
  otpChallenge,
  ...codeLink,
  ...verifyEmail,
  ...resetPasswordPage,
  ...forgotPassword,
  usersExport,
];
