/** The reason why a sign-in failed. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /**
   * The `error` in the service's response (RFC 6749 section 4.1.2.1), for example `access_denied`; `expired` if the
   * browser has no cookie for the sign-in attempt; `unmet_authentication_requirements` if the user did not authenticate
   * in the required way; `insufficient_user_authentication` if a session that was just renewed is still too old;
   * `secret_mismatch` if a process with another secret encrypted the cookie; `session_too_large` if the session does not
   * fit into cookies.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const errors = new WeakMap<Response, SignInError>();

/** Sets the error that {@link signInErrorOf} returns for a response. */
export function rememberSignInError(response: Response, error: SignInError): void {
  errors.set(response, error);
}

/** Returns the error that a response of `requireSession` reports, for frameworks whose pages cannot return a response. */
export function signInErrorOf(response: Response): SignInError | undefined {
  return errors.get(response);
}
