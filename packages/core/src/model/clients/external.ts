import type { Row } from "../../store/schema.ts";

/**
 * An external client registered itself: by a metadata document that its client id names, or by dynamic client
 * registration (RFC 7591). No administrator checked its name, its URLs or its purpose. Therefore users always consent,
 * the client needs a client grant for each API, and it offers only the connections with `is_domain_connection`.
 */
export function isExternal(record: Pick<Row<"clients">, "external_metadata_type">): boolean {
  return record.external_metadata_type !== null;
}

type ExternalColumns = Pick<
  Row<"clients">,
  | "external_client_id"
  | "external_metadata_type"
  | "external_metadata_created_by"
  | "registration_token_hash"
  | "unused_since"
  | "consents_since"
  | "blocked_at"
>;

/** The columns of a client that is not external. */
export const notExternal: ExternalColumns = {
  external_client_id: null,
  external_metadata_type: null,
  external_metadata_created_by: null,
  registration_token_hash: null,
  unused_since: null,
  consents_since: null,
  blocked_at: null,
};
