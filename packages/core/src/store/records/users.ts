import { boolean, collection, hash, id, instant, integer, nullable, object, seal, string, strings, text, userId } from "../description.ts";
import { deletable } from "./deletable.ts";

/**
 * - `email_key`, `username_key` and `phone_key` are the identifiers that the account signs in with, in lower case. They
 *   are null if the connection does not use that kind of identifier. So two accounts may share a contact email address
 *   or phone number, but not a login identifier.
 * - `subject_key` is the account's subject at its identity provider; null for accounts of database and passwordless
 *   connections.
 * - `linked_to` is the user id of the primary account, or '' for a primary account. It is not null, because the indexes
 *   for lists start with it.
 * - `email_proof` says how an email address was verified, and `proven_email` says which one. Read both with
 *   `emailProofOf` (model/users/email-proof.ts), because code that does not know these two fields may change the email
 *   address without updating them.
 * - `is_unproven_sign_up` is true if a visitor's sign-up created the account, and neither its email address nor its phone
 *   number was ever proven, by any party. It becomes false with the first proof, and a later change of an address does not
 *   make it true again. Read it with `isUnprovenSignUp`.
 * - `standard_claims` has the claims of `model/users/standard-claims.ts` that have a value. Null means none.
 * - `enrolled_factors` lists the types of the user's confirmed factors (collection `factors`), so that a sign-in without
 *   factors needs no further query. It can list a type of which no factor is confirmed, but never lacks one: it is updated
 *   before a factor is confirmed and after a factor is deleted. A primary account lists those of its linked accounts as
 *   well: it is updated before an account is linked and after an account is unlinked. So the list only says whether the
 *   factors must be read: see identity/factors/confirmed-factors.ts. Null means none.
 * - `factors_changed_at` is the time when a factor was last confirmed or removed. Null means never.
 * - `factors_frozen_until` is the time until which the user cannot change their factors. Null means that they can.
 * - `password_frozen_until` is the time until which the user cannot set a new password, also not with a link or a code. Null
 *   means that they can.
 * - `removing_factor` is the id of a factor that the user is removing (identity/factors/remove-own-factor.ts). The next
 *   removal completes one that a crash interrupted.
 * - `first_factor` is the id of the factor that last claimed to be the user's first one (identity/factors/factors.ts). The
 *   factor may be unconfirmed, or removed since.
 */
export const users = collection({
  name: "users",
  about: "One account of one connection. A linked account refers to its primary account, which is never linked itself.",
  scope: "tenant",
  fields: {
    user_id: userId,
    connection: string(128),
    provider: string(64),
    linked_to: userId,
    linked_count: integer,
    email: string(320),
    email_key: nullable(string(320)),
    email_verified: boolean,
    email_proof: nullable(string(16)),
    proven_email: nullable(string(320)),
    is_unproven_sign_up: boolean,
    username: nullable(string(128)),
    username_key: nullable(string(128)),
    phone_number: nullable(string(32)),
    phone_key: nullable(string(32)),
    subject_key: nullable(userId),
    phone_verified: boolean,
    name: string(300),
    nickname: string(300),
    given_name: nullable(string(150)),
    family_name: nullable(string(150)),
    picture: nullable(text),
    standard_claims: nullable(object),
    blocked: boolean,
    app_metadata: object,
    user_metadata: object,
    password_id: nullable(id),
    enrolled_factors: nullable(strings),
    factors_changed_at: nullable(instant),
    factors_frozen_until: nullable(instant),
    password_frozen_until: nullable(instant),
    removing_factor: nullable(id),
    first_factor: nullable(id),
    last_password_reset: nullable(instant),
    last_ip: nullable(string(64)),
    last_login: instant,
    logins_count: integer,
    // The user asked to delete the account: when it is deleted, and when `sweep` takes the next step, a mail or the deletion.
    deletes_at: nullable(instant),
    deletion_step_at: nullable(instant),
    ...deletable,
  },
  key: ["user_id"],
  unique: [
    ["connection", "email_key"],
    ["connection", "username_key"],
    ["connection", "phone_key"],
    ["connection", "subject_key"],
  ],
  indexes: [
    ["linked_to", "created_at"],
    ["linked_to", "updated_at"],
    ["linked_to", "email"],
    ["linked_to", "name"],
    ["linked_to", "last_login"],
    ["linked_to", "logins_count"],
    ["linked_to", "username"],
    ["linked_to", "phone_number"],
    ["email"],
  ],
  counted: [["linked_to", "deleting_at"]],
  acrossTenants: [["deleting_at"], ["deletion_step_at"]],
  sortable: ["user_id", "created_at", "updated_at", "email", "name", "last_login", "logins_count"],
  listedBy: "linked_to",
});

export const passwords = collection({
  name: "passwords",
  about: "A password hash (PHC string). A user row refers to the current one; older ones are the password history.",
  scope: "tenant",
  // `set_through` is the email address through which the user set the password, by a link or a code, until a second factor
  // confirms the user. Until then, a code to this address is no second factor of the password.
  fields: { id, user_id: userId, hash: text, set_through: nullable(string(320)), created_at: instant },
  key: ["id"],
  unique: [],
  indexes: [["user_id", "created_at"]],
  sortable: [],
});

/**
 * `refreshing_until` is the end of the lease of the process that refreshes the tokens. Until then no other process
 * sends a refresh request, because a provider may revoke a refresh token that it receives twice.
 */
export const upstreamTokens = collection({
  name: "upstream_tokens",
  about: "The encrypted tokens that an identity provider issued for one of its accounts. One row per account.",
  scope: "tenant",
  fields: { account_id: userId, tokens: text, seal, refreshing_until: instant, revision: integer, updated_at: instant },
  key: ["account_id"],
  unique: [],
  indexes: [],
  sortable: [],
  sealed: "tokens",
});

export const roles = collection({
  name: "roles",
  about: "A named set of permissions. `name_folded` is the name in lower case, for searches.",
  scope: "tenant",
  fields: {
    id,
    name: string(255),
    name_folded: string(255),
    description: text,
    metadata: object,
    is_system: boolean,
    // The id of the role in the control plane that this role is a protected copy of.
    origin: nullable(string(64)),
    ...deletable,
  },
  key: ["id"],
  unique: [["name"], ["origin"]],
  indexes: [["name"], ["created_at"]],
  acrossTenants: [["deleting_at"]],
  sortable: ["name", "created_at"],
});

export const rolePermissions = collection({
  name: "role_permissions",
  about: "A permission that a role grants.",
  scope: "tenant",
  fields: { role_id: id, resource_server_id: id, permission_name: string(280), created_at: instant },
  key: ["role_id", "resource_server_id", "permission_name"],
  unique: [],
  indexes: [["resource_server_id"]],
  sortable: [],
});

export const userRoles = collection({
  name: "user_roles",
  about: "A role that a user has: in the tenant (organization_id '') or inside one organization.",
  scope: "tenant",
  fields: { user_id: userId, organization_id: id, role_id: id, created_at: instant },
  key: ["user_id", "organization_id", "role_id"],
  unique: [],
  indexes: [["role_id", "organization_id"], ["organization_id"]],
  sortable: [],
});

export const userPermissions = collection({
  name: "user_permissions",
  about: "A permission that a user has directly, without a role.",
  scope: "tenant",
  fields: { user_id: userId, resource_server_id: id, permission_name: string(280), created_at: instant },
  key: ["user_id", "resource_server_id", "permission_name"],
  unique: [],
  indexes: [["resource_server_id"]],
  sortable: [],
});

export const organizations = collection({
  name: "organizations",
  about: "A customer of the tenant's applications, with members.",
  scope: "tenant",
  fields: {
    id,
    name: string(255),
    display_name: string(255),
    branding: object,
    metadata: object,
    settings: object,
    ...deletable,
  },
  key: ["id"],
  unique: [["name"]],
  indexes: [["name"], ["display_name"], ["created_at"]],
  acrossTenants: [["deleting_at"]],
  sortable: ["name", "display_name", "created_at"],
});

export const organizationMembers = collection({
  name: "organization_members",
  about: "A user's membership of an organization.",
  scope: "tenant",
  fields: { organization_id: id, user_id: userId, created_at: instant },
  key: ["organization_id", "user_id"],
  unique: [],
  indexes: [["user_id"], ["organization_id", "created_at"]],
  sortable: [],
});

export const organizationConnections = collection({
  name: "organization_connections",
  about: "A connection that members of an organization may sign in with.",
  scope: "tenant",
  fields: {
    organization_id: id,
    connection_id: id,
    assign_membership_on_login: boolean,
    show_as_button: boolean,
    is_signup_enabled: boolean,
    created_at: instant,
  },
  key: ["organization_id", "connection_id"],
  unique: [],
  indexes: [["connection_id"]],
  sortable: [],
});

/**
 * Every response contains the ticket in `invitation_url`. Therefore the ticket is stored in encrypted form, in addition
 * to the hash for the lookup. `accepted_at` means that the invitation belongs to `accepted_by`. `applied_at` means that
 * membership, roles and metadata have been granted, so that they are not granted twice.
 */
export const invitations = collection({
  name: "invitations",
  about: "An invitation into an organization.",
  scope: "tenant",
  fields: {
    id,
    organization_id: id,
    ticket_hash: hash,
    ticket: text,
    seal,
    client_id: id,
    connection_id: nullable(id),
    inviter_name: string(300),
    invitee_email: string(320),
    app_metadata: object,
    user_metadata: object,
    roles: strings,
    ttl_sec: integer,
    created_at: instant,
    expires_at: instant,
    accepted_at: nullable(instant),
    accepted_by: nullable(userId),
    applied_at: nullable(instant),
  },
  key: ["id"],
  unique: [["ticket_hash"]],
  indexes: [["organization_id", "created_at"]],
  sortable: ["created_at"],
  listedBy: "organization_id",
  sealed: "ticket",
});
