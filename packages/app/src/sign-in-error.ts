/** Why a sign-in came to nothing. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /** The `error` that the service answered (RFC 6749 section 4.1.2.1), for example `access_denied`; `expired` where the app no longer knows of the sign-in. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
