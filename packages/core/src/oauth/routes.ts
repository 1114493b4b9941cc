import type { Route } from "../http/route.ts";
import { authorize } from "./authorize.ts";
import { crossOriginAuthenticate } from "./cross-origin/authenticate.ts";
import { changePassword } from "./dbconnections/change-password.ts";
import { signup } from "./dbconnections/signup.ts";
import { deviceAuthorization } from "./device-authorization.ts";
import { authorizationServerMetadata, openidConfiguration } from "./discovery.ts";
import { usersExport } from "./exports.ts";
import { introspect } from "./introspect.ts";
import { jwks } from "./jwks.ts";
import { logout } from "./logout.ts";
import { oidcLogout } from "./oidc-logout.ts";
import { mfaAssociate } from "./mfa/associate.ts";
import { mfaAuthenticators } from "./mfa/authenticators.ts";
import { mfaChallenge } from "./mfa/challenge.ts";
import { removeMfaAuthenticator } from "./mfa/remove-authenticator.ts";
import { otpChallenge } from "./otp/challenge.ts";
import { pushedAuthorizationRequest } from "./par.ts";
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

/** Every route of the protocol, in the order of the OpenAPI document. */
export const oauthRoutes: readonly Route[] = [
  ...authorize,
  webfinger,
  webauthnOrigins,
  logout,
  ...oidcLogout,
  pushedAuthorizationRequest,
  tokenRoute,
  deviceAuthorization,
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
  usersExport,
  openidConfiguration,
  authorizationServerMetadata,
  jwks,
];
