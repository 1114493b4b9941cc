import { PosternError } from "../../errors.ts";
import { maxTokenLength } from "../../tokens/verify.ts";

/**
 * Reads the access token of a request from the `Authorization` header or from a form (RFC 6750 sections 2.1 and 2.2).
 * @throws {PosternError} `invalid_token` if it is missing or longer than {@link maxTokenLength}, `invalid_request` if
 * the request contains two.
 */
export function readBearerToken(request: Request, body: unknown): string {
  const form = typeof body === "object" && body !== null && "access_token" in body ? body.access_token : undefined;
  const [scheme, token, ...rest] = (request.headers.get("authorization") ?? "").split(" ");
  const inHeader = scheme?.toLowerCase() === "bearer" && token !== undefined && token !== "" && rest.length === 0 ? token : undefined;
  if (inHeader !== undefined && form !== undefined) {
    throw new PosternError("invalid_request", "the request contains two access tokens", {
      headers: { "www-authenticate": 'Bearer error="invalid_request"' },
    });
  }
  const sent = inHeader ?? (typeof form === "string" ? form : undefined);
  if (sent !== undefined && sent.length > maxTokenLength)
    throw invalidToken(`the access token is longer than ${maxTokenLength} characters`);
  if (sent !== undefined) return sent;
  throw new PosternError("invalid_token", "an access token is required: Authorization: Bearer", {
    // A challenge has at least one parameter, and no error if the request had no token (RFC 6750 section 3).
    headers: { "www-authenticate": 'Bearer realm="postern"' },
  });
}

/** Creates the error for a rejected token, with the challenge that RFC 6750 section 3 requires. */
export function invalidToken(description: string, cause?: unknown): PosternError {
  return new PosternError("invalid_token", description, { headers: { "www-authenticate": 'Bearer error="invalid_token"' }, cause });
}

/**
 * Creates the error for a token whose authentication is not sufficient (RFC 9470 section 3).
 * @param parameter the parameter of the challenge that says what is required: `acr_values` or `max_age`.
 */
export function insufficientAuthentication(description: string, parameter: string): PosternError {
  const challenge = `Bearer error="insufficient_user_authentication", error_description="${description}", ${parameter}`;
  return new PosternError("invalid_token", description, { headers: { "www-authenticate": challenge } });
}
