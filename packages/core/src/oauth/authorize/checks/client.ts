import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Requires that the client exists (RFC 6749 section 4.1.1). */
export const checkClient: AuthorizationCheck = async (checked) => {
  const { client_id: clientId } = checked.sent;
  if (clientId === undefined || clientId === "") throw new PosternError("invalid_request", "'client_id' is missing");
  const client = await checked.tenant.namedClient(clientId);
  if (client === undefined) throw new PosternError("unauthorized_client", "the client is unknown");
  checked.client = client;
  checked.request.client_id = client.record.client_id;
};
