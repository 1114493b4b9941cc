import { expect, test } from "vitest";
import * as texts from "./sdk-texts.ts";

test("texts that Auth0's SDKs and tools compare are unchanged", () => {
  expect({ ...texts }).toEqual({
    userIsBlocked: "user is blocked",
    invalidRefreshToken: "Unknown or invalid refresh token.",
    insufficientScopeText: "Insufficient scope",
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
