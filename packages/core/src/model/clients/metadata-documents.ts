import * as z from "zod";
import { maximumClientIdLength } from "./client-id.ts";
import { externalSettings } from "./external.ts";
import type { RegistrationColumns } from "./registration.ts";

/** The body of `POST /api/v2/clients/cimd/preview` and `POST /api/v2/clients/cimd/register`. */
export const documentReferenceSchema = z
  .strictObject({
    external_client_id: z.string().min(1).max(maximumClientIdLength).meta({ description: "The URL of the client's metadata document" }),
  })
  .meta({ id: "ClientMetadataDocument" });

const texts = z.array(z.string());

/** The settings of a client that its metadata document determines. */
const mappedFieldsSchema = z.strictObject({
  external_client_id: z.string(),
  name: z.string(),
  app_type: z.string(),
  callbacks: texts,
  grant_types: texts,
  token_endpoint_auth_method: z.string(),
  jwks_uri: z.string().exactOptional(),
});

/** The result of reading a document. */
const validationSchema = z.strictObject({
  valid: z.boolean(),
  violations: texts.meta({ description: "Why the document cannot be used" }),
  warnings: texts,
});

/** The response to `POST /api/v2/clients/cimd/preview`. */
export const documentPreviewSchema = z
  .strictObject({
    client_id: z.string().exactOptional().meta({ description: "The id of the client, if it exists" }),
    errors: texts.exactOptional(),
    validation: validationSchema,
    mapped_fields: mappedFieldsSchema.exactOptional(),
  })
  .meta({ id: "ClientMetadataDocumentPreview" });

/** The response to `POST /api/v2/clients/cimd/register`. */
export const registeredDocumentSchema = z
  .strictObject({ client_id: z.string(), mapped_fields: mappedFieldsSchema, validation: validationSchema })
  .meta({ id: "RegisteredClientMetadataDocument" });

/** Returns the settings of a client that its metadata document determines, as the Management API names them. */
export function toMappedFields(url: string, columns: RegistrationColumns): z.infer<typeof mappedFieldsSchema> {
  const { name, app_type, callbacks, grant_types, token_endpoint_auth_method, settings } = columns;
  const { jwks_uri: keys } = externalSettings(settings);
  return {
    external_client_id: url,
    name,
    app_type,
    callbacks: [...callbacks],
    grant_types: [...grant_types],
    token_endpoint_auth_method,
    ...(keys !== undefined && { jwks_uri: keys }),
  };
}

/** Returns what an administrator should know about a valid document. */
export function warningsAbout({ callbacks }: RegistrationColumns, url: string): readonly string[] {
  const { hostname } = new URL(url);
  const elsewhere = callbacks.filter((uri) => uri.startsWith("https:") && new URL(uri).hostname !== hostname);
  const onComputer = callbacks.every((uri) => !uri.startsWith("https:"));
  return [
    ...elsewhere.map((uri) => `the redirect URI ${uri} has another host than the document`),
    ...(onComputer ? ["every redirect URI leads to an app on the user's device, so any such app can use this client id"] : []),
  ];
}
