import * as z from "zod";
import { toErrorDescription, type PosternError } from "../errors.ts";
import type { ApiName } from "./api.ts";

const error = z.string().meta({ description: "The error code" });
const description = z.string().meta({ description: "Describes the error. If a field is invalid, it names the field" });

/** The body of an error response (RFC 6749 section 5.2, with the members of Auth0's Management API). */
const errorReplySchema = z
  .strictObject({
    error,
    error_description: description,
    error_uri: z.url().optional().meta({ description: "A page that explains the error. Only sent to clients in development" }),
  })
  .meta({ id: "Error" });

/** The body of an error response from the Management API, with additional members for Auth0's SDKs. */
const managementErrorReplySchema = z
  .strictObject({
    error,
    error_description: description,
    statusCode: z.int(),
    message: description,
    errorCode: z.string().meta({ description: "A more specific error code" }),
  })
  .meta({ id: "ManagementError" });

/** Returns the Auth API's error schema with additional members. For routes where only some errors have them. */
export function errorSchemaWith(id: string, members: z.ZodRawShape): z.ZodType {
  return errorReplySchema.extend(members).meta({ id });
}

/** The body of an error response from the My Account API (RFC 9457). Some errors have further members. */
const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: "`urn:postern:error:` and the error code" }),
    status: z.int(),
    title: z.string().meta({ description: "The reason phrase of the status" }),
    detail: description,
  })
  .meta({ id: "Problem" });

const errorSchemas: { readonly [api in ApiName]: z.ZodType } = {
  management: managementErrorReplySchema,
  auth: errorReplySchema,
  "my-account": problemSchema,
};

/** Returns the schema of an API's error responses. */
export function errorSchema(api: ApiName): z.ZodType {
  return errorSchemas[api];
}

/**
 * Returns the JSON body of the response to an error.
 * @param explained the URL of a page that explains the error.
 */
export type ErrorFormat = (error: PosternError, explained: string | undefined) => object;

/** The error format of OAuth endpoints (RFC 6749 section 5.2). */
export const oauthErrors: ErrorFormat = (error, explained) => ({
  error: error.code,
  error_description: toErrorDescription(error.message),
  ...(explained !== undefined && { error_uri: explained }),
  ...error.members,
});

/** The error format of the Management API, with the members that Auth0's SDKs read. */
export const managementErrors: ErrorFormat = ({ code, message, status, errorCode }) => ({
  error: code,
  error_description: message,
  statusCode: status,
  message,
  errorCode: errorCode ?? (reasonPhrases[status] ?? "error").toLowerCase().replaceAll(" ", "_"),
});

/** The error format of the My Account API, with the members that Auth0's SDKs read (RFC 9457). */
export const problemErrors: ErrorFormat = ({ code, message, status, members }) => ({
  type: `urn:postern:error:${code}`,
  status,
  title: reasonPhrases[status] ?? "Error",
  detail: message,
  ...members,
});

const reasonPhrases: { readonly [status: number]: string } = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
