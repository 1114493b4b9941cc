import { isExternal } from "../model/clients/external.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/**
 * Returns the client's name for pages and messages. No administrator checked the name of an external client, and it can be
 * that of a bank. Therefore, a client with a metadata document is named by the document's host, which it controls, and a client
 * of dynamic registration has no name.
 */
export function clientNameOf(client: RegisteredClient): string | undefined {
  return isExternal(client.record) ? documentHostOf(client) : client.record.name;
}

/** Returns the host of the client's metadata document. Returns undefined if the client has no document. */
export function documentHostOf({ record }: RegisteredClient): string | undefined {
  return record.external_metadata_type === "cimd" && record.external_client_id !== null
    ? new URL(record.external_client_id).host
    : undefined;
}
