import { statusOfCode, type ErrorCode, type Auth0ErrorCode } from "../errors.ts";
import type { ErrorText, RouteDefinition } from "./route.ts";

/** An error that any route may return without declaring it, because the request handler creates the error. */
interface StandardError {
  readonly code: ErrorCode;
  /** The meaning of the error, for the documents. */
  readonly meaning: string;
  appliesTo(definition: RouteDefinition): boolean;
}

/** Every {@link StandardError}, by its name in `components.responses`. */
export const standardErrors: { readonly [name: string]: StandardError } = {
  InvalidRequest: {
    code: "invalid_request",
    meaning: "the input is invalid",
    // Every route of the Management API rejects unknown parameters, so this error always applies there.
    appliesTo: ({ scopes, query, body }) => typeof scopes !== "string" || query !== undefined || body !== undefined,
  },
  InvalidClient: {
    code: "invalid_client",
    meaning: "the client could not be authenticated",
    appliesTo: ({ scopes }) => scopes === "client",
  },
  InvalidToken: {
    code: "invalid_token",
    meaning: "the access token is missing or invalid",
    appliesTo: ({ scopes }) => scopes === "bearer" || scopes === "mfa" || typeof scopes !== "string",
  },
  InsufficientScope: {
    code: "insufficient_scope",
    meaning: "the access token has none of the required scopes",
    appliesTo: ({ scopes }) => typeof scopes !== "string",
  },
  NoSuchTenant: {
    code: "not_found",
    meaning: "the tenant does not exist",
    // The Management API does not distinguish between a tenant that does not exist and a tenant that the token gives no
    // access to.
    appliesTo: ({ scopes }) => typeof scopes === "string",
  },
  PayloadTooLarge: {
    code: "payload_too_large",
    meaning: "the body exceeds the maximum size",
    appliesTo: ({ body }) => body !== undefined,
  },
  UnsupportedMediaType: {
    code: "unsupported_media_type",
    meaning: "the content type of the body is not supported",
    appliesTo: ({ body }) => body !== undefined,
  },
  TooManyRequests: {
    code: "TOO_MANY_REQUESTS",
    meaning: "retry after the seconds in `Retry-After`, if the header is present",
    appliesTo: ({ scopes }) => typeof scopes !== "string",
  },
};

/** Describes a standard error. */
export function standardErrorText({ code, meaning }: StandardError): string {
  return `\`${code}\`: ${meaning}`;
}

/**
 * Returns the text of an error in the OpenAPI document: the error that a route declares, followed by the errors that every
 * route can return with the same status.
 */
export function declaredErrorText(declared: Auth0ErrorCode | ErrorText, standard: readonly StandardError[]): string {
  const own = typeof declared === "string" ? `\`${declared}\` in \`errorCode\`` : markCodes(declared.error);
  const others = standard.filter(({ code }) => !own.includes(code)).map(standardErrorText);
  return [own, ...others].join("; ");
}

function markCodes(text: string): string {
  return text.replaceAll(/\w+/g, (word) => (Object.hasOwn(statusOfCode, word) ? `\`${word}\`` : word));
}
