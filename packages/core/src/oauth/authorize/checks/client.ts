import { PosternError } from "../../../errors.ts";
import { isDocumentUrl } from "../../../model/clients/client-id.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Reads the metadata document of a client whose id is a URL. Only `/authorize` does: a request that follows finds the
 * record that this one stored.
 */
export const checkDocumentClient: AuthorizationCheck = async ({ tenant, sent: { client_id: clientId = "" } }) => {
  if (isDocumentUrl(clientId) && (await tenant.clientOfDocument(clientId)) === undefined)
    throw new PosternError("unauthorized_client", "the client is unknown");
};

/** Requires that the client exists (RFC 6749 section 4.1.1). */
export const checkClient: AuthorizationCheck = async (checked) => {
  const { client_id: clientId } = checked.sent;
  if (clientId === undefined || clientId === "") throw new PosternError("invalid_request", "'client_id' is missing");
  const client = await checked.tenant.namedClient(clientId);
  if (client === undefined) throw new PosternError("unauthorized_client", "the client is unknown");
  checked.client = client;
  checked.tenant.requestInfo.trace?.noteClient(client.record.client_id);
  checked.request.client_id = client.record.client_id;
};
