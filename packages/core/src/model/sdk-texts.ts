/**
 * Error texts that Auth0's SDKs and tools compare literally, or that its API has word for word. They are part of the
 * API: sdk-texts.test.ts fails if one of them changes.
 */

/**
 * The whole description for a blocked user. Auth0's SPA SDK compares it and signs the user out locally. Never add to
 * it.
 */
export const userIsBlocked = "user is blocked";

/**
 * The description for a refresh token that cannot be used. If a description contains `invalid refresh token`, Auth0's
 * SPA SDK falls back to a silent login.
 */
export const invalidRefreshToken = "Unknown or invalid refresh token.";

/**
 * The start of the message for missing scopes. Auth0's command line skips a type of records if a message contains it.
 */
export const insufficientScopeText = "Insufficient scope";

/** Auth0's description for a wrong password. */
export const wrongPassword = "Wrong email or password.";

/** Auth0's descriptions for a wrong one-time code, by the channel of the code. */
export const wrongCode = {
  email: "Wrong email or verification code.",
  sms: "Wrong phone number or verification code.",
} as const;

/** Auth0's description for an authorization code that cannot be redeemed. */
export const invalidAuthorizationCode = "Invalid authorization code";

/** Auth0's description for a PKCE verifier that does not match. */
export const wrongCodeVerifier = "Failed to verify code verifier";

/** Auth0's description for a sign-up with an identifier that is taken. */
export const invalidSignUp = "Invalid sign up";
