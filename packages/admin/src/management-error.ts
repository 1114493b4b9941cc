/** The error for a response of the Management API that is not a success. */
export class ManagementError extends Error {
  override readonly name = "ManagementError";
  /** The HTTP status. */
  readonly status: number;
  /** The `error` of the response. */
  readonly code: string;
  /** The scopes of which the token needs one. Empty unless the status is 403 and the response names them. */
  readonly missingScopes: readonly string[];
  readonly requestId: string | undefined;

  constructor(message: string, details: Pick<ManagementError, "status" | "code" | "missingScopes" | "requestId">) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.missingScopes = details.missingScopes;
    this.requestId = details.requestId;
  }
}

/** Creates the error for a response. @param body the parsed body; undefined if it is not JSON. */
export function toManagementError(response: Response, body: unknown): ManagementError {
  const member = (name: string): string | undefined => {
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [, scopes = ""] = /\bscope="([^"]*)"/.exec(response.headers.get("www-authenticate") ?? "") ?? [];
  return new ManagementError(member("message") ?? member("error_description") ?? `The service responded with ${response.status}.`, {
    status: response.status,
    code: member("error") ?? "unknown",
    missingScopes: response.status === 403 ? scopes.split(" ").filter((scope) => scope !== "") : [],
    requestId: response.headers.get("x-request-id") ?? member("request_id"),
  });
}
