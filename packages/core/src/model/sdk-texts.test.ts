import { expect, test } from "vitest";
import * as texts from "./sdk-texts.ts";

test("texts that Auth0's SDKs and tools compare are unchanged", () => {
  expect({ ...texts }).toEqual({
    userIsBlocked: "user is blocked",
    invalidRefreshToken: "Unknown or invalid refresh token.",
    insufficientScopeText: "Insufficient scope",
    multifactorAuthenticationRequired: "Multifactor authentication required",
    mfaTexts: {
      expiredToken: "mfa_token is expired",
      malformedToken: "Malformed mfa_token",
      otherClient: "mfa_token not issued to this client",
      wrongOtp: "Invalid otp_code.",
      wrongBindingCode: "Invalid binding_code.",
      wrongRecoveryCode: "MFA Authorization rejected.",
      malformedOobCode: "Malformed oob_code",
      otherOobCode: "The oob_code doesn't match the mfa_token",
      missingBindingCode: "Missing required parameter: binding_code",
      alreadyEnrolled: "User is already enrolled",
      tooManyFailures: "Too many failed codes. Wait for some minutes before retrying.",
    },
    wrongPassword: "Wrong email or password.",
    wrongCode: {
      email: "Wrong email or verification code.",
      sms: "Wrong phone number or verification code.",
    },
    invalidAuthorizationCode: "Invalid authorization code",
    wrongCodeVerifier: "Failed to verify code verifier",
    invalidSignUp: "Invalid sign up",
  });
});
