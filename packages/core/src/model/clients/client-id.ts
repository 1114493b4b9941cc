import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";

/**
 * A client whose metadata document describes it has two ids. OAuth requests and tokens contain the URL of the document
 * (draft-ietf-oauth-client-id-metadata-document). Records, cache keys, cookies and the paths of the Management API
 * contain an id of fixed length, which is derived from the URL. Other clients have the same id everywhere.
 */
const prefix = "cimd_";

/** The maximum number of characters of a client id in a request. */
export const maximumClientIdLength = 120;

/** Whether a client id in a request is the URL of a metadata document. */
export function isDocumentUrl(clientId: string): boolean {
  return clientId.startsWith("https://");
}

/** Returns the id of the client's record for a client id in a request or a token. Accepts the id of a record, too. */
export function internalClientId(clientId: string): string | Promise<string> {
  if (!isDocumentUrl(clientId)) return clientId;
  const hashed = sha256(clientId);
  return typeof hashed === "string" ? prefix + hashed : hashed.then((hash) => prefix + hash);
}

/** Returns the client id for tokens, logs and other responses of the protocol. */
export function publicClientId(record: Pick<Row<"clients">, "client_id" | "external_client_id">): string {
  return record.external_client_id ?? record.client_id;
}

/** A client id in a request. The parsed value is the id of the client's record. */
export const clientIdSchema = z.string().min(1).max(maximumClientIdLength).transform(internalClientId);
