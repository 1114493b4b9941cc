import * as z from "zod";
import type { ApiName } from "./api.ts";

const error = z.string().meta({ description: "The error code" });
const description = z.string().meta({ description: "Describes the error. If a field is invalid, it names the field" });

/** The body of an error response (spec section 7). */
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

/** Returns the schema of an API's error responses. */
export function errorSchema(api: ApiName): z.ZodType {
  return api === "management" ? managementErrorReplySchema : errorReplySchema;
}
