/**
 * The reasons for which clients receive logout tokens, as Auth0 names them.
 *
 * - `rp-logout`: the user signed out at `/oidc/logout` or `/v2/logout`.
 * - `idp-logout`: the user's identity provider ended the session. Postern receives no such requests yet.
 * - `password-changed`: the user has a new password.
 * - `session-expired`: the session expired.
 * - `session-revoked`: the session was revoked for any other reason, such as a call of the Management API.
 * - `account-deleted`: the user was deleted.
 * - `email-identifier-changed`: the user's email address changed. The session continues.
 * - `mfa-phone-unenrolled`: a phone was removed from the user's second factors. The session continues.
 * - `account-deactivated`: the user was blocked.
 */
export const logoutInitiators = [
  "rp-logout",
  "idp-logout",
  "password-changed",
  "session-expired",
  "session-revoked",
  "account-deleted",
  "email-identifier-changed",
  "mfa-phone-unenrolled",
  "account-deactivated",
] as const;

/** A reason for which clients receive logout tokens. */
export type LogoutInitiator = (typeof logoutInitiators)[number];

/** Whether a stored text is an initiator. */
export function isLogoutInitiator(text: string | null): text is LogoutInitiator {
  return logoutInitiators.some((initiator) => initiator === text);
}
