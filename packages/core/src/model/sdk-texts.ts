/**
 * Error texts that Auth0's SDKs and tools compare literally, or that Auth0's API returns word for word. They are part
 * of the API: sdk-texts.test.ts fails if one of them changes.
 */

/**
 * The complete description for a blocked user. Auth0's SPA SDK compares it and signs the user out locally. Do not add
 * anything to it.
 */
export const userIsBlocked = "user is blocked";

/**
 * The description for an invalid refresh token. If a description contains `invalid refresh token`, Auth0's SPA SDK
 * falls back to a silent login.
 */
export const invalidRefreshToken = "Unknown or invalid refresh token.";

/**
 * The start of the error message for missing scopes. If an error message contains it, Auth0's CLI skips the resource
 * type.
 */
export const insufficientScopeText = "Insufficient scope";

/**
 * The description for a login that needs a second factor. Auth0's SPA SDK compares it after a silent login and then
 * opens a popup.
 */
export const multifactorAuthenticationRequired = "Multifactor authentication required";

/** Auth0's descriptions for errors of the MFA API. Auth0's native SDKs compare them to decide how the user continues. */
export const mfaTexts = {
  /** The `mfa_token` has expired, was used, or is void. The user must sign in again. */
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
} as const;

/** Auth0's description for a wrong password. */
export const wrongPassword = "Wrong email or password.";

/** Auth0's descriptions for a wrong one-time code, by the channel through which the code was sent. */
export const wrongCode = {
  email: "Wrong email or verification code.",
  sms: "Wrong phone number or verification code.",
} as const;

/** Auth0's description for an authorization code that cannot be redeemed. */
export const invalidAuthorizationCode = "Invalid authorization code";

/** Auth0's description for a PKCE verifier that does not match. */
export const wrongCodeVerifier = "Failed to verify code verifier";

/** Auth0's description for a sign-up with an identifier that another user already has. */
export const invalidSignUp = "Invalid sign up";
