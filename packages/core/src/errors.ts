/**
 * Every error code, with the HTTP status of its response. If RFC 6749, RFC 6750, RFC 7591, RFC 8707, RFC 9101, RFC 9449, OpenID Connect Core or "Core
 * Error Code unmet_authentication_requirements" defines a code for an error, that code is used. Codes with a dot come
 * from Auth0's `/passwordless/start`. `configuration_error` is thrown only to the host application, at start. No
 * response contains it.
 */
export const statusOfCode = {
  invalid_request: 400,
  invalid_scope: 400,
  invalid_grant: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  unsupported_response_type: 400,
  unsupported_response_mode: 400,
  request_uri_not_supported: 400,
  invalid_request_uri: 400,
  invalid_request_object: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unauthorized_client: 400,
  access_denied: 400,
  "bad.connection": 400,
  "bad.email": 400,
  "bad.phone_number": 400,
  login_required: 403,
  mfa_required: 403,
  expired_token: 401,
  association_required: 400,
  unsupported_challenge_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  consent_required: 403,
  interaction_required: 403,
  unmet_authentication_requirements: 403,
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  INVALID_CREDENTIALS: 403,
  TOO_MANY_FAILED_LOGINS: 403,
  login_expired: 400,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  TOO_MANY_REQUESTS: 429,
  server_error: 500,
  configuration_error: 500,
  temporarily_unavailable: 503,
} as const;

/** The code of a {@link PosternError}: the `error` member of a response, or `configuration_error`. */
export type ErrorCode = keyof typeof statusOfCode;

/** The more specific `errorCode` of Management API errors, which Auth0's tools read. */
export type Auth0ErrorCode =
  | "invalid_body"
  | "invalid_uri"
  | "invalid_query_string"
  | "operation_not_supported"
  | "insufficient_scope"
  | "inexistent_user"
  | "inexistent_client"
  | "inexistent_connection"
  | "inexistent_resource_server"
  | "inexistent_client_grant"
  | "inexistent_custom_domain"
  | "inexistent_invitation"
  | "inexistent_email_provider"
  | "inexistent_email_template"
  | "inexistent_templates_universal_login"
  | "theme_not_found"
  | "enrollment_not_found"
  | "auth0_idp_error";

/** Why a visitor cannot continue, for errors with a specific text on the error page. */
export type PageReason =
  | "cookies-blocked"
  | "no-login"
  | "invitation-expired"
  | "invitation-used"
  | "invitation-withdrawn"
  | "no-connection"
  | "no-usable-factor"
  | "device-code-expired";

/** Optional properties of an error, in addition to its code and description. */
export interface ErrorDetails {
  /** Auth0's more specific code, for the Management API. */
  readonly errorCode?: Auth0ErrorCode;
  /** The HTTP status, if Auth0 or RFC 6749 uses another one for this error than for other errors with the code. Default: see {@link statusOfCode}. */
  readonly status?: 400 | 401 | 403;
  /** Further members of the response, for example `mfa_token`. Only in the OAuth error format. */
  readonly members?: { readonly [name: string]: unknown };
  /** Headers of the error response, for example `Retry-After`. */
  readonly headers?: { readonly [name: string]: string };
  /** Selects the text on the error page. Programs use the code instead. */
  readonly reason?: PageReason;
  /** Information for the operator that the caller must not see. Only logged. */
  readonly detail?: string;
  /**
   * Information that helps the client's developer to correct the request. Added to the log and to the audit event. The
   * error page contains it only in development.
   */
  readonly hint?: string;
  /** The error that caused this one. Only logged. */
  readonly cause?: unknown;
}

/**
 * An error with a defined response for the caller. `message` is public: it becomes `error_description`. Any other
 * thrown value becomes a `server_error` whose response contains only a request id. A `configuration_error` becomes a
 * `server_error` too: it reports an invalid argument from the host application at start, and its message is for the
 * operator.
 */
export class PosternError extends Error {
  override readonly name = "PosternError";
  readonly code: ErrorCode;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly errorCode: Auth0ErrorCode | undefined;
  readonly members: { readonly [name: string]: unknown };
  readonly headers: { readonly [name: string]: string };
  readonly reason: PageReason | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, description: string, details: ErrorDetails = {}) {
    super(description, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? statusOfCode[code];
    this.errorCode = details.errorCode;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
    this.reason = details.reason;
    this.detail = details.detail;
    this.hint = details.hint;
  }
}

/** The maximum length of an `error_description` in characters. Some descriptions contain text from the caller. */
const longestDescription = 500;

/**
 * Converts text to the characters allowed in `error_description`: printable ASCII without `"` and `\` (RFC 6749
 * sections 4.1.2.1 and 5.2).
 */
export function toErrorDescription(message: string): string {
  const printable = message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/gu, "?");
  return printable.length > longestDescription ? `${printable.slice(0, longestDescription)}...` : printable;
}

/** Whether an error is a {@link PosternError}, including an error from another copy of this package. */
export function isPosternError(error: unknown): error is PosternError {
  return error instanceof Error && error.name === "PosternError" && "code" in error && String(error.code) in statusOfCode;
}
