/** The error for an access token that the service does not issue for the requested API or organization. */
export class AccessTokenError extends Error {
  override readonly name = "AccessTokenError";
  /**
   * The `error` in the service's response (RFC 6749 section 5.2, RFC 8707 section 2): `access_denied` if the user is
   * not a member of the organization, or signed in with a connection that it does not allow; `invalid_target` if the
   * session's refresh token is for another API. `refresh_token_missing` if the session has no refresh token.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
