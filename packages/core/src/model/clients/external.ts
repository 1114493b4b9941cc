import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { readStored } from "../settings.ts";

/**
 * An external client registered itself: by a metadata document that its client id names, or by dynamic client
 * registration (RFC 7591). No administrator checked its name, its URLs or its purpose. Therefore users always consent,
 * the client needs a client grant for each API, and it offers only the connections with `is_domain_connection`.
 */
export function isExternal(record: Pick<Row<"clients">, "external_metadata_type">): boolean {
  return record.external_metadata_type !== null;
}

/** Whether a client belongs to the operator: a first-party client that an administrator created. */
export function isTrusted(record: Pick<Row<"clients">, "is_first_party" | "external_metadata_type">): boolean {
  return record.is_first_party && !isExternal(record);
}

/** The `client_id` in the record of the client grant for all external clients. */
export const thirdPartyClients = "";

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

const text = z.string();

/** The stored settings that only the metadata of an external client sets. */
const externalSettingsSchema = z
  .object({
    // The client's keys (RFC 7517), by value or by URL. They verify client assertions.
    jwks_uri: text,
    // The SHA-256 hash of what the metadata document says about the client.
    document_hash: text,
    jwks: z.object({ keys: z.array(z.record(text, text)) }),
    // The hosts that redirect URIs may have, by the initial access token with which the client was registered.
    redirect_hosts: z.array(text),
    // Members of the metadata without an effect. No administrator checked the addresses and texts, so no page shows
    // them.
    registered: z
      .object({
        client_uri: text,
        logo_uri: text,
        tos_uri: text,
        policy_uri: text,
        initiate_login_uri: text,
        scope: text,
        contacts: z.array(text),
        software_id: text,
        software_version: text,
      })
      .exactPartial(),
  })
  .exactPartial();

/** Reads the settings that only the metadata of an external client sets. */
export function externalSettings(settings: JsonObject): z.infer<typeof externalSettingsSchema> {
  return readStored(externalSettingsSchema, settings);
}
