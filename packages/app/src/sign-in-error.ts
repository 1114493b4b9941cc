/** The reason why a sign-in failed. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /**
   * The `error` in the service's response (RFC 6749 section 4.1.2.1), for example `access_denied`; `expired` if the
   * browser has no cookie for the sign-in attempt; `unmet_authentication_requirements` if the user did not authenticate
   * in the required way; `insufficient_user_authentication` if a session that was just renewed is still too old.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
