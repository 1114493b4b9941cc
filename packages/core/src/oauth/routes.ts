import type { Route } from "../http/route.ts";
import { accountSecurity } from "../account/routes.ts";
import { authorize } from "./authorize.ts";
import { crossOriginAuthenticate } from "./cross-origin/authenticate.ts";
import { changePassword } from "./dbconnections/change-password.ts";
import { signup } from "./dbconnections/signup.ts";
import { authorizationServerMetadata, openidConfiguration } from "./discovery.ts";
import { usersExport } from "./exports.ts";
import { introspect } from "./introspect.ts";
import { jwks } from "./jwks.ts";
import { enrollFactorPage } from "./links/enroll.ts";
import { forgotPassword } from "./links/forgot-password.ts";
import { resetPasswordPage } from "./links/reset-password.ts";
import { undoFactorChange } from "./links/undo-factor-change.ts";
import { verifyEmail } from "./links/verify-email.ts";
import { loginCallback } from "./login/callback.ts";
import { codeLink } from "./login/code-link.ts";
import { continueLogin } from "./login/continue.ts";
import { flowApi } from "./login/flow-api.ts";
import { invitationPage } from "./login/invitation.ts";
import { loginPage } from "./login/page.ts";
import { logout } from "./logout.ts";
import { oidcLogout } from "./oidc-logout.ts";
import { mfaAssociate } from "./mfa/associate.ts";
import { mfaAuthenticators } from "./mfa/authenticators.ts";
import { mfaChallenge } from "./mfa/challenge.ts";
import { removeMfaAuthenticator } from "./mfa/remove-authenticator.ts";
import { otpChallenge } from "./otp/challenge.ts";
import { passkeyChallenge } from "./passkey/challenge.ts";
import { passkeyRegister } from "./passkey/register.ts";
import { passwordlessStart } from "./passwordless/start.ts";
import { passwordlessVerify } from "./passwordless/verify.ts";
import { verifyRedirect } from "./passwordless/verify-redirect.ts";
import { registrationManagement } from "./register/manage.ts";
import { registerClient } from "./register/register.ts";
import { revoke } from "./revoke.ts";
import { tokenRoute } from "./token.ts";
import { userinfo } from "./userinfo.ts";
import { webauthnOrigins } from "./webauthn-origins.ts";
import { webfinger } from "./webfinger.ts";

/** Every route of the Auth API and of the login pages, in the order of the OpenAPI document. */
export const authRoutes: readonly Route[] = [
  ...authorize,
  ...loginPage,
  invitationPage,
  ...flowApi,
  ...loginCallback,
  ...continueLogin,
  webfinger,
  webauthnOrigins,
  logout,
  ...oidcLogout,
  tokenRoute,
  ...userinfo,
  revoke,
  introspect,
  registerClient,
  ...registrationManagement,
  signup,
  changePassword,
  crossOriginAuthenticate,
  passwordlessStart,
  passwordlessVerify,
  ...verifyRedirect,
  otpChallenge,
  passkeyRegister,
  passkeyChallenge,
  mfaChallenge,
  mfaAssociate,
  mfaAuthenticators,
  removeMfaAuthenticator,
  ...codeLink,
  ...verifyEmail,
  ...resetPasswordPage,
  ...forgotPassword,
  ...undoFactorChange,
  ...accountSecurity,
  ...enrollFactorPage,
  usersExport,
  openidConfiguration,
  authorizationServerMetadata,
  jwks,
];
