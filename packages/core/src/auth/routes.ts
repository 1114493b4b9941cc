import type { Route } from "../http/route.ts";
import { authorize } from "./authorize.ts";
import { crossOriginAuthenticate } from "./cross-origin/authenticate.ts";
import { authorizationServerMetadata, openidConfiguration } from "./discovery.ts";
import { changePassword } from "./dbconnections/change-password.ts";
import { signup } from "./dbconnections/signup.ts";
import { flowApi } from "./login/flow-api.ts";
import { usersExport } from "./exports.ts";
import { introspect } from "./introspect.ts";
import { invitationPage } from "./login/invitation.ts";
import { jwks } from "./jwks.ts";
import { forgotPassword } from "./links/forgot-password.ts";
import { resetPasswordPage } from "./links/reset-password.ts";
import { verifyEmail } from "./links/verify-email.ts";
import { continueLogin } from "./login/continue.ts";
import { loginCallback } from "./login/callback.ts";
import { codeLink } from "./login/code-link.ts";
import { loginPage } from "./login/page.ts";
import { logout } from "./logout.ts";
import { oidcLogout } from "./oidc-logout.ts";
import { otpChallenge } from "./otp/challenge.ts";
import { passwordlessStart } from "./passwordless/start.ts";
import { passwordlessVerify } from "./passwordless/verify.ts";
import { verifyRedirect } from "./passwordless/verify-redirect.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";
import { userinfo } from "./userinfo.ts";
import { webfinger } from "./webfinger.ts";

/** Every route of the Auth API and of the login pages. */
export const authRoutes: readonly Route[] = [
  ...authorize,
  token,
  revoke,
  introspect,
  ...userinfo,
  signup,
  changePassword,
  crossOriginAuthenticate,
  passwordlessStart,
  passwordlessVerify,
  ...verifyRedirect,
  otpChallenge,
  logout,
  ...oidcLogout,
  ...loginPage,
  ...flowApi,
  ...loginCallback,
  ...continueLogin,
  ...codeLink,
  invitationPage,
  ...verifyEmail,
  ...resetPasswordPage,
  ...forgotPassword,
  openidConfiguration,
  authorizationServerMetadata,
  jwks,
  usersExport,
  webfinger,
];
