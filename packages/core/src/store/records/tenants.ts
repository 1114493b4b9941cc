import {
  ascii,
  boolean,
  collection,
  hash,
  id,
  instant,
  integer,
  nullable,
  object,
  seal,
  string,
  strings,
  text,
  userId,
} from "../description.ts";
import { deletable } from "./deletable.ts";

export const tenants = collection({
  name: "tenants",
  about: "A tenant with its settings, its branding, its attack-protection settings and its settings for second factors.",
  scope: "global",
  fields: {
    id,
    name: string(255),
    friendly_name: string(255),
    settings: object,
    branding: object,
    attack_protection: object,
    // The settings for second factors: only those that a caller set.
    multifactor: object,
    // The organization in the control plane whose members may access the tenant. Null if there is no such organization.
    organization_id: nullable(string(64)),
    // The access that every member of that organization has: `permissions` of the Management API, and `roles` of the
    // control plane, by id.
    member_access: object,
    // Null while the tenant is being created. As long as it is null, requests treat the tenant as absent.
    ready_at: nullable(instant),
    // The end of the lease of the process that is creating, upgrading or deleting the tenant.
    lease_until: instant,
    // The log events before this instant are counted in the daily statistics.
    counted_until: instant,
    ...deletable,
  },
  key: ["id"],
  unique: [["organization_id"]],
  indexes: [["name"], ["created_at"], ["counted_until"]],
  counted: [["ready_at", "deleting_at"]],
  sortable: ["id", "name", "created_at"],
});

export const directory = collection({
  name: "directory",
  about:
    "Values that are unique across tenants: client ids, host names and slots in the key set of the shared issuer, each with its tenant. The insert into this collection comes first and decides races.",
  scope: "global",
  fields: { kind: string(16), value: string(255), tenant_id: id, created_at: instant },
  key: ["kind", "value"],
  unique: [],
  indexes: [["tenant_id"]],
  sortable: [],
});

export const customDomains = collection({
  name: "custom_domains",
  about:
    "A custom domain of a tenant. Each verified one is an issuer. An unverified one expires and does not prevent other tenants from claiming the domain.",
  scope: "tenant",
  fields: {
    id,
    domain: string(255),
    type: string(32),
    status: string(32),
    is_default: boolean,
    verification: object,
    settings: object,
    revision: integer,
    created_at: instant,
    updated_at: instant,
    verified_at: nullable(instant),
    expires_at: nullable(instant),
  },
  key: ["id"],
  unique: [["domain"]],
  indexes: [["created_at"], ["domain"]],
  sortable: ["created_at", "domain"],
  expiry: "expires_at",
});

export const signingKeys = collection({
  name: "signing_keys",
  about:
    "A key pair with its certificate. The private key is encrypted. The current signing key is computed from the instants when it is used. " +
    "A published key that a rotation created has one of a few slots.",
  scope: "tenant",
  fields: {
    kid: string(64),
    type: string(32),
    alg: string(16),
    public_jwk: object,
    private_key: text,
    seal,
    certificate: text,
    created_at: instant,
    activates_at: instant,
    retires_at: nullable(instant),
    revoked_at: nullable(instant),
    slot: nullable(integer),
  },
  key: ["kid"],
  unique: [["type", "slot"]],
  indexes: [["type"]],
  sortable: [],
  sealed: "private_key",
});

export const emailProviders = collection({
  name: "email_providers",
  about:
    "The email provider of a tenant that does not use the host's mail sender: at most one per tenant. Its secret credentials are encrypted; " +
    "`account` contains the ones that the API returns.",
  scope: "tenant",
  fields: {
    id,
    name: string(64),
    enabled: boolean,
    default_from_address: string(320),
    account: object,
    credentials: nullable(text),
    seal,
    settings: object,
    revision: integer,
    created_at: instant,
    updated_at: instant,
  },
  key: ["id"],
  unique: [],
  indexes: [],
  sortable: [],
  sealed: "credentials",
});

export const emailTemplates = collection({
  name: "email_templates",
  about: "A custom email template of a tenant, in Liquid, with Auth0's name.",
  scope: "tenant",
  fields: { template: ascii(64), settings: object, revision: integer, created_at: instant, updated_at: instant },
  key: ["template"],
  unique: [],
  indexes: [],
  sortable: [],
});

export const tenantOperations = collection({
  name: "tenant_operations",
  about:
    "A lifecycle operation on a tenant: its creation, an upgrade, its deletion, or the synchronization of shared entities from the control plane.",
  scope: "global",
  fields: {
    id,
    tenant_id: id,
    kind: string(32),
    status: string(32),
    error: nullable(text),
    // Further input: the tenant in the form that its hooks receive, and the caller.
    input: object,
    // The progress of an operation on several tenants: the id of the last tenant that was processed. Empty at the
    // start.
    position: string(64),
    lease_until: instant,
    revision: integer,
    created_at: instant,
    updated_at: instant,
    finished_at: nullable(instant),
    expires_at: nullable(instant),
  },
  key: ["id"],
  unique: [],
  indexes: [["tenant_id", "created_at"], ["finished_at"]],
  sortable: ["created_at"],
  listedBy: "tenant_id",
  expiry: "expires_at",
  optional: true,
});

export const tenantOperationEvents = collection({
  name: "tenant_operation_events",
  about: "One step of a tenant operation, in the order in which it was reported.",
  scope: "global",
  fields: {
    id,
    operation_id: id,
    step: string(128),
    status: string(32),
    detail: object,
    created_at: instant,
    expires_at: nullable(instant),
  },
  key: ["id"],
  unique: [],
  indexes: [["operation_id"]],
  sortable: [],
  expiry: "expires_at",
  optional: true,
});

export const logs = collection({
  name: "logs",
  about:
    "One audit event. Rows are inserted, read and expired, never changed. `date` is the time with which `log_id` begins. `expires_at` is null if the host keeps events forever.",
  scope: "tenant",
  fields: {
    log_id: string(64),
    date: instant,
    type: string(64),
    description: text,
    client_id: string(64),
    client_name: string(255),
    connection: string(128),
    connection_id: string(64),
    organization_id: string(64),
    organization_name: string(255),
    user_id: userId,
    user_name: string(320),
    ip: string(64),
    hostname: string(255),
    user_agent: text,
    is_mobile: boolean,
    audience: string(600),
    scope: text,
    strategy: string(64),
    strategy_type: string(32),
    details: object,
    expires_at: nullable(instant),
  },
  key: ["log_id"],
  unique: [],
  indexes: [["type"], ["user_id"], ["client_id"], ["ip"]],
  sortable: ["log_id"],
  expiry: "expires_at",
});

export const logStreams = collection({
  name: "log_streams",
  about:
    "A destination of a tenant's audit events. All events up to the cursor are delivered. One process at a time delivers: the holder of the lease. The credentials are encrypted.",
  scope: "tenant",
  fields: {
    id,
    name: string(255),
    type: string(64),
    status: string(16),
    settings: object,
    credentials: nullable(text),
    seal,
    cursor_date: instant,
    cursor_id: string(64),
    failures: integer,
    last_error: text,
    next_at: instant,
    leased_until: instant,
    // When a process last leased the stream; 0 before the first delivery.
    served_at: instant,
    // The part of the log before the cursor in which late events were searched, and the number of events in it that
    // were handled. Null until the first delivery.
    window_state: nullable(object),
    revision: integer,
    created_at: instant,
    updated_at: instant,
  },
  key: ["id"],
  unique: [],
  indexes: [["created_at"]],
  acrossTenants: [["status", "served_at"]],
  sortable: [],
  sealed: "credentials",
});

export const logStreamDeliveries = collection({
  name: "log_stream_deliveries",
  about:
    "The log ids of one acknowledged delivery of a log stream, with the dates of its first and last event. Deleted when the log up to the last event is no longer searched for late events.",
  scope: "tenant",
  fields: { stream_id: id, id, first_date: instant, last_date: instant, log_ids: strings, expires_at: instant },
  key: ["stream_id", "id"],
  unique: [],
  indexes: [["stream_id", "last_date"]],
  sortable: [],
  expiry: "expires_at",
});

export const jobs = collection({
  name: "jobs",
  about:
    "A background job of the Management API. Stored for a day, so that callers can query its result. `details` contains its input and its result.",
  scope: "tenant",
  fields: { id, type: string(64), status: string(32), details: object, created_at: instant, expires_at: instant },
  key: ["id"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

export const usedAssertions = collection({
  name: "used_assertions",
  about:
    "A client assertion (RFC 7523 section 3), a DPoP proof (RFC 9449) or a test sign-in at a provider that was accepted once, stored until it expires.",
  scope: "tenant",
  fields: { jti_hash: hash, expires_at: instant },
  key: ["jti_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});
