import { ascii, boolean, collection, hash, id, instant, integer, nullable, object, seal, string, strings } from "../description.ts";
import { deletable } from "./deletable.ts";

export const clients = collection({
  name: "clients",
  about: "An application that can request tokens (RFC 6749 section 2).",
  scope: "tenant",
  fields: {
    client_id: id,
    name: string(255),
    description: string(140),
    app_type: string(32),
    is_first_party: boolean,
    token_endpoint_auth_method: string(32),
    secret_hash: nullable(hash),
    grant_types: strings,
    callbacks: strings,
    allowed_logout_urls: strings,
    web_origins: strings,
    allowed_origins: strings,
    organization_usage: nullable(string(16)),
    connections: nullable(strings),
    // Whether Management API tokens that this client gets for users contain the permissions that the users' roles
    // grant. No API reads or writes this field.
    may_administer: boolean,
    // The URL of the metadata document that describes the client. It is the client's id in OAuth requests and tokens.
    external_client_id: nullable(ascii(120)),
    // How the client was registered without an administrator's settings: 'cimd' by its metadata document, 'dcr' by
    // dynamic client registration. Null for every other client.
    external_metadata_type: nullable(ascii(8)),
    // 'admin' or 'client'; null if `external_metadata_type` is null.
    external_metadata_created_by: nullable(ascii(8)),
    // The hash of the token with which a dynamically registered client manages itself (RFC 7592).
    registration_token_hash: nullable(hash),
    // When a client registered itself that has not received a code yet. Such clients are limited and expire.
    unused_since: nullable(instant),
    // Consents from before this time do not count, because the client changed where it receives responses or its keys.
    consents_since: nullable(instant),
    blocked_at: nullable(instant),
    settings: object,
    ...deletable,
  },
  key: ["client_id"],
  unique: [],
  indexes: [["name"], ["created_at"], ["external_metadata_type", "created_at"], ["unused_since"]],
  acrossTenants: [["deleting_at"], ["unused_since"]],
  sortable: ["client_id", "name", "created_at"],
});

export const initialAccessTokens = collection({
  name: "initial_access_tokens",
  about: "A token that allows its holder to register clients (RFC 7591 section 3). Only its hash is stored.",
  scope: "tenant",
  fields: {
    id,
    token_hash: hash,
    // The number of registrations that are left.
    uses_left: integer,
    // The hosts that redirect URIs may have; an empty list allows all.
    redirect_hosts: strings,
    expires_at: instant,
    created_at: instant,
  },
  key: ["id"],
  unique: [["token_hash"]],
  indexes: [["created_at"], ["expires_at"]],
  sortable: ["created_at"],
  expiry: "expires_at",
});

export const resourceServers = collection({
  name: "resource_servers",
  about: "An API that access tokens are issued for, with its scopes. The Management API is one of them, marked `is_system`.",
  scope: "tenant",
  fields: {
    id,
    identifier: string(600),
    name: string(200),
    is_system: boolean,
    // The id of the API in the control plane that this API is a protected copy of.
    origin: nullable(string(64)),
    settings: object,
    ...deletable,
  },
  key: ["id"],
  unique: [["identifier"], ["origin"]],
  indexes: [["name"], ["created_at"]],
  acrossTenants: [["deleting_at"]],
  sortable: ["name", "created_at"],
});

/** `client_id` is '' for a grant to all third-party clients. */
export const clientGrants = collection({
  name: "client_grants",
  about: "The scopes of an API that a client may receive, for itself or for a user.",
  scope: "tenant",
  fields: {
    id,
    client_id: id,
    audience: string(600),
    subject_type: string(16),
    scope: strings,
    organization_usage: nullable(string(16)),
    allow_any_organization: boolean,
    settings: object,
    ...deletable,
  },
  key: ["id"],
  unique: [["client_id", "audience", "subject_type"]],
  indexes: [["client_id", "created_at"], ["audience", "created_at"], ["created_at"]],
  acrossTenants: [["deleting_at"]],
  sortable: ["created_at"],
});

/** `client_id` and `audience` are those of the client grant. They never change, and queries and deletions use them. */
export const organizationClientGrants = collection({
  name: "organization_client_grants",
  about: "A client grant that is assigned to an organization: the client may act for it.",
  scope: "tenant",
  fields: { organization_id: id, grant_id: id, client_id: id, audience: string(600), created_at: instant },
  key: ["organization_id", "grant_id"],
  unique: [],
  indexes: [["grant_id"], ["client_id"], ["audience"]],
  sortable: [],
});

/**
 * `listed` is true if login pages offer the connection to everyone. An unlisted connection is found by its name, its
 * domains or its organization. It is read individually, because a tenant may have thousands of unlisted connections.
 */
export const connections = collection({
  name: "connections",
  about:
    "A source of users: a password database, one-time codes, or an upstream provider. Its secrets are encrypted and separate from its options. Each is named by its path in the options.",
  scope: "tenant",
  fields: {
    id,
    name: string(128),
    strategy: string(64),
    display_name: string(128),
    options: object,
    secrets: object,
    seal,
    settings: object,
    listed: boolean,
    ...deletable,
    // The name of a connection whose deletion has started. It is stored here so that another connection can have the
    // name.
    former_name: nullable(string(128)),
  },
  key: ["id"],
  unique: [["name"]],
  indexes: [["name"], ["strategy", "created_at"], ["created_at"], ["listed", "created_at"]],
  acrossTenants: [["deleting_at"]],
  sortable: ["name", "created_at"],
  sealed: "secrets",
});

/**
 * Every domain that a connection has or had among its `domain_aliases`. A row only tells in which connection to look:
 * the connection's own list says which domains are current. So rows are written before the connection, and deleted with
 * it.
 */
export const connectionDomains = collection({
  name: "connection_domains",
  about: "An email domain whose users may sign in with the connection of their company.",
  scope: "tenant",
  fields: { domain: string(256), connection_id: id, created_at: instant },
  key: ["domain", "connection_id"],
  unique: [],
  indexes: [["connection_id"]],
  sortable: [],
});
