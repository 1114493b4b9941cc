import * as z from "zod";
import { statusOfCode, type ErrorCode, type Auth0ErrorCode } from "../errors.ts";
import type { ErrorText, RouteDefinition } from "./route.ts";
import type { Api } from "./api.ts";

const error = z.string().meta({ description: "A code" });
const description = z.string().meta({ description: "What went wrong; names the field where a field is wrong" });

/** Spec section 7. */
const ErrorReply = z
  .strictObject({
    error,
    error_description: description,
    error_uri: z.url().optional().meta({ description: "Where a developer reads on; while the app is developed" }),
  })
  .meta({ id: "Error" });

/** An error of the Management API: the same, and what the vendor's SDKs read. */
const ManagementErrorReply = z
  .strictObject({
    error,
    error_description: description,
    statusCode: z.int(),
    message: description,
    errorCode: z.string().meta({ description: "A finer code" }),
  })
  .meta({ id: "ManagementError" });

/** The body of errors. */
export function errorSchema(api: Api): z.ZodType {
  return api === "management" ? ManagementErrorReply : ErrorReply;
}

/** An error that routes answer without declaring it, because the request handler does. */
export interface StandardError {
  readonly code: ErrorCode;
  /** What it means, for the documents. */
  readonly meaning: string;
  appliesTo(definition: RouteDefinition): boolean;
}

/** Every {@link StandardError}, by its name in `components.responses`. */
export const standardErrors: { readonly [name: string]: StandardError } = {
  InvalidRequest: {
    code: "invalid_request",
    meaning: "the input is not valid",
    // The Management API refuses parameters that it does not know, wherever they are.
    appliesTo: ({ scopes, query, body }) => typeof scopes !== "string" || query !== undefined || body !== undefined,
  },
  InvalidClient: {
    code: "invalid_client",
    meaning: "the client could not be authenticated",
    appliesTo: ({ scopes }) => scopes === "client",
  },
  InvalidToken: {
    code: "invalid_token",
    meaning: "there is no access token, or it is not valid here",
    appliesTo: ({ scopes }) => scopes === "bearer" || typeof scopes !== "string",
  },
  InsufficientScope: {
    code: "insufficient_scope",
    meaning: "the access token has none of the scopes",
    appliesTo: ({ scopes }) => typeof scopes !== "string",
  },
  NoSuchTenant: {
    code: "not_found",
    meaning: "there is no such tenant",
    // To the Management API a tenant that does not exist is one that the token does not reach.
    appliesTo: ({ scopes }) => typeof scopes === "string",
  },
  PayloadTooLarge: {
    code: "payload_too_large",
    meaning: "the body is larger than this server takes",
    appliesTo: ({ body }) => body !== undefined,
  },
  UnsupportedMediaType: {
    code: "unsupported_media_type",
    meaning: "the body is of a type that is not taken here",
    appliesTo: ({ body }) => body !== undefined,
  },
  TooManyRequests: {
    code: "TOO_MANY_REQUESTS",
    meaning: "try again after the seconds in `Retry-After`, where it is there",
    appliesTo: ({ scopes }) => typeof scopes !== "string",
  },
};

/** A standard error in words. */
export function standardErrorText({ code, meaning }: StandardError): string {
  return `\`${code}\`: ${meaning}`;
}

/** An error that a route declares, in words: what it says itself, and what else has the same status. */
export function declaredErrorText(declared: Auth0ErrorCode | ErrorText, standard: readonly StandardError[]): string {
  const own = typeof declared === "string" ? `\`${declared}\` in \`errorCode\`` : markCodes(declared.error);
  const others = standard.filter(({ code }) => !own.includes(code)).map(standardErrorText);
  return [own, ...others].join("; ");
}

function markCodes(text: string): string {
  return text.replaceAll(/\w+/g, (word) => (Object.hasOwn(statusOfCode, word) ? `\`${word}\`` : word));
}
