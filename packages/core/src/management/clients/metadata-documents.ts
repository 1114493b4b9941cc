import { isPosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { internalClientId } from "../../model/clients/client-id.ts";
import type { ClientDocument } from "../../model/clients/registration.ts";
import {
  documentPreviewSchema,
  documentReferenceSchema,
  registeredDocumentSchema,
  toMappedFields,
  warningsAbout,
} from "../../model/clients/metadata-documents.ts";
import { registerDocumentClient } from "../../tenants/external-clients/document-client.ts";
import { route } from "../../tenants/callers/route-context.ts";

const failures = { 400: { error: "invalid_request: the URL or the document is not valid, or the document cannot be read" } } as const;

const previewDocument = route({
  method: "POST",
  path: "/api/v2/clients/cimd/preview",
  operation: "clients.previewCimdMetadata",
  summary: "Read the metadata document of a client",
  description: "Stores nothing. A document that cannot be used is described in `validation.violations`.",
  scopes: ["read:clients"],
  body: documentReferenceSchema,
  responses: { 200: documentPreviewSchema },
})(async ({ body: { external_client_id: url } }, { tenant }) => {
  const id = await internalClientId(url);
  const exists = (await tenant.data.clients.count({ client_id: id })) > 0;
  try {
    return { ...(exists && { client_id: id }), ...described(url, await tenant.clientDocument(url)) };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    const { message } = error;
    return { ...(exists && { client_id: id }), errors: [message], validation: { valid: false, violations: [message], warnings: [] } };
  }
});

const registerDocument = route({
  method: "POST",
  path: "/api/v2/clients/cimd/register",
  operation: "clients.registerCimdClient",
  summary: "Create or update the client that a metadata document describes",
  description:
    "Works also while `client_id_metadata_document_supported` is off. The document is not read again by logins: call this again when it changes.",
  scopes: ["create:clients", "update:clients"],
  body: documentReferenceSchema,
  responses: { 200: registeredDocumentSchema, 201: registeredDocumentSchema, ...failures },
})(async ({ body: { external_client_id: url } }, { tenant }) => {
  const document = await tenant.clientDocument(url);
  const { id, isNew } = await registerDocumentClient(tenant, url, document);
  return new Reply({ client_id: id, ...described(url, document) }, { status: isNew ? 201 : 200 });
});

/** The routes for clients that are described by a metadata document (Client ID Metadata Documents). */
export const metadataDocumentRoutes = [previewDocument, registerDocument];

function described(url: string, { columns }: ClientDocument) {
  return {
    validation: { valid: true, violations: [], warnings: [...warningsAbout(columns, url)] },
    mapped_fields: toMappedFields(url, columns),
  };
}
