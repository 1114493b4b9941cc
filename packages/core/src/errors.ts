/**
 * Every error code, with the HTTP status it is answered with.
 * Lower-case codes are those of RFC 6749, RFC 6750, RFC 8707, OpenID Connect Core and "Core Error Code
 * unmet_authentication_requirements" where these name one; those with a dot are the vendor's of `/passwordless/start`.
 * `configuration_error` is for the host alone, which catches it at start: no request is answered with it.
 */
export const statusOfCode = {
  invalid_request: 400,
  invalid_scope: 400,
  invalid_grant: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  unsupported_response_type: 400,
  unsupported_response_mode: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  unauthorized_client: 400,
  access_denied: 400,
  "bad.connection": 400,
  "bad.email": 400,
  "bad.phone_number": 400,
  login_required: 403,
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

/** A code of {@link PosternError}: what stands in `error` of an answer, or `configuration_error`. */
export type ErrorCode = keyof typeof statusOfCode;

/** The finer `errorCode` of Management API errors, which the vendor's tools read. */
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
  | "auth0_idp_error";

/** Why somebody cannot go on, where a page has words of its own for that. */
export type PageReason = "cookies-blocked" | "no-login" | "invitation-expired" | "invitation-used" | "invitation-withdrawn";

/** What an error carries besides its code and its description. */
export interface ErrorDetails {
  /** The vendor's finer code, for the Management API. */
  readonly errorCode?: Auth0ErrorCode;
  /** Response headers that belong to it, for example `Retry-After`. */
  readonly headers?: { readonly [name: string]: string };
  /** Which words a page has for it. Programs go by the code. */
  readonly reason?: PageReason;
  /** What the operator should know and the caller must not: goes to the log only. */
  readonly detail?: string;
  /** What a developer of the client needs to correct the request. Goes to the log and to the audit event, and to the error page in development only. */
  readonly hint?: string;
  /** The error that led to this one: goes to the log only. */
  readonly cause?: unknown;
}

/**
 * An error with a clear answer for the caller. `message` is public: it becomes `error_description`.
 * Anything else that is thrown becomes a `server_error` that tells the caller nothing but a request id.
 * So does a `configuration_error`, a mistake in what the host passes at start: its message is for whoever runs the service.
 */
export class PosternError extends Error {
  override readonly name = "PosternError";
  readonly code: ErrorCode;
  readonly errorCode: Auth0ErrorCode | undefined;
  readonly headers: { readonly [name: string]: string };
  readonly reason: PageReason | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, description: string, details: ErrorDetails = {}) {
    super(description, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.errorCode = details.errorCode;
    this.headers = details.headers ?? {};
    this.reason = details.reason;
    this.detail = details.detail;
    this.hint = details.hint;
  }

  /** The HTTP status that belongs to the code. */
  get status(): number {
    return statusOfCode[this.code];
  }
}

/** Characters of an `error_description` at most. Callers' own words are in some. */
const longestDescription = 500;

/** Text as `error_description` may hold it: printable ASCII without `"` and `\` (RFC 6749 sections 4.1.2.1 and 5.2). */
export function toErrorDescription(message: string): string {
  const printable = message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/gu, "?");
  return printable.length > longestDescription ? `${printable.slice(0, longestDescription)}...` : printable;
}

/** True for a {@link PosternError}, also one from another copy of this package. */
export function isPosternError(error: unknown): error is PosternError {
  return error instanceof Error && error.name === "PosternError" && "code" in error && String(error.code) in statusOfCode;
}
