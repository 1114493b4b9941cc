import { ascii, boolean, collection, hash, id, instant, integer, nullable, object, string, strings, text, userId } from "../description.ts";

/**
 * `account_id` and `connection_id` say how the session started: the account that signed in (the user's primary account
 * or a linked one) and that account's connection. `issuer` is the issuer under which it started. They never change.
 *
 * `logout_initiator` says why the session was revoked, and is written together with `revoked_at`. `logout_at` is the time at which
 * `deliverEvents` reads the session to notify its clients, and `noPendingLogout` afterwards.
 */
export const sessions = collection({
  name: "sessions",
  about: "A user's SSO session. It is stored longer than every token that refers to it: a token whose session is missing is rejected.",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    account_id: userId,
    connection_id: id,
    issuer: text,
    cookie_hash: nullable(hash),
    clients: strings,
    authentication: object,
    device: object,
    session_metadata: object,
    authenticated_at: instant,
    last_interacted_at: instant,
    idle_expires_at: instant,
    expires_at: instant,
    revoked_at: nullable(instant),
    logout_initiator: nullable(string(32)),
    logout_at: instant,
    revision: integer,
    created_at: instant,
    updated_at: instant,
    purge_at: instant,
  },
  key: ["id"],
  unique: [["cookie_hash"]],
  // Expired sessions are stored for as long as tokens may refer to them. `expires_at` distinguishes active sessions.
  indexes: [["user_id", "created_at"], ["created_at"], ["expires_at"]],
  acrossTenants: [["logout_at"]],
  sortable: ["created_at"],
  expiry: "purge_at",
});

/** `state` is `open`, or `failed` if it is not delivered again unless an administrator requests it. */
export const logoutDeliveries = collection({
  name: "logout_deliveries",
  about:
    "A logout token that is to be sent to one logout URL of a client (OpenID Connect Back-Channel Logout 1.0). It is signed when it is sent. Deleted when the client has accepted it.",
  scope: "tenant",
  fields: {
    id,
    client_id: id,
    url: text,
    session_id: id,
    user_id: userId,
    issuer: text,
    initiator: string(32),
    session_metadata: nullable(object),
    state: string(16),
    failures: integer,
    last_error: text,
    next_at: instant,
    leased_until: instant,
    served_at: instant,
    expires_at: instant,
    revision: integer,
    created_at: instant,
    purge_at: instant,
  },
  key: ["id"],
  unique: [],
  indexes: [["client_id", "state", "next_at"], ["created_at"]],
  acrossTenants: [["state", "client_id"]],
  sortable: ["created_at"],
  expiry: "purge_at",
});

/**
 * `parameters` are those of the authorization request, without the client's credentials. `login_id` is set once, by the login that
 * receives the response: the id of its login session, or a random id for a login without one. `expires_at` limits when
 * a browser can open the request. The row is stored longer, until a login that opened it has ended.
 */
export const pushedRequests = collection({
  name: "pushed_requests",
  about:
    "An authorization request that a client sent in advance (RFC 9126), found by the hash of its request URI. A conditional update uses it once.",
  scope: "tenant",
  fields: {
    uri_hash: hash,
    client_id: id,
    parameters: object,
    login_id: nullable(ascii(80)),
    created_at: instant,
    expires_at: instant,
    purge_at: instant,
  },
  key: ["uri_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "purge_at",
});

export const authorizationCodes = collection({
  name: "authorization_codes",
  about:
    "An authorization code (RFC 6749 section 4.1.2) with everything that the token exchange needs. A conditional update redeems it once.",
  scope: "tenant",
  fields: {
    code_hash: hash,
    client_id: id,
    user_id: userId,
    session_id: id,
    grant_id: id,
    redirect_uri: nullable(text),
    code_challenge: nullable(string(128)),
    scope: strings,
    audience: nullable(string(600)),
    organization_id: nullable(id),
    nonce: nullable(text),
    /** 0 if an identity provider did not report when the user authenticated. */
    auth_time: instant,
    request: object,
    created_at: instant,
    expires_at: instant,
    consumed_at: nullable(instant),
  },
  key: ["code_hash"],
  unique: [],
  indexes: [["user_id"], ["grant_id"]],
  sortable: [],
  expiry: "expires_at",
});

/**
 * `rotated_to` is the id of the successor. The successor's token text is derived from the text of this token
 * (crypto/successors.ts). `presented_at` is set when this token is used. It decides how a late replay of this token's
 * predecessor is handled. `reissued_at` is the time at which this token, still unused, was sent again in response to a
 * late replay of its predecessor.
 */
export const refreshTokens = collection({
  name: "refresh_tokens",
  about: "A refresh token, found by its hash. A token and its successors share a family. All tokens of one login share a grant.",
  scope: "tenant",
  fields: {
    id,
    token_hash: hash,
    family_id: id,
    grant_id: id,
    session_id: nullable(id),
    client_id: id,
    user_id: userId,
    organization_id: nullable(id),
    audience: nullable(string(600)),
    scope: strings,
    claims: object,
    /** The thumbprint of the key of the public client that the token is bound to (RFC 9449 section 5). */
    jkt: nullable(hash),
    device: object,
    refresh_token_metadata: object,
    rotated_at: nullable(instant),
    rotated_to: nullable(id),
    presented_at: nullable(instant),
    reissued_at: nullable(instant),
    recovered_at: nullable(instant),
    revoked_at: nullable(instant),
    idle_expires_at: nullable(instant),
    expires_at: nullable(instant),
    last_exchanged_at: nullable(instant),
    /** As in an authorization code: 0 if an identity provider did not report when the user authenticated. */
    auth_time: instant,
    created_at: instant,
    purge_at: nullable(instant),
  },
  key: ["id"],
  unique: [["token_hash"]],
  indexes: [["user_id", "created_at"], ["family_id"], ["session_id"], ["grant_id"], ["client_id"], ["created_at"]],
  sortable: ["created_at"],
  expiry: "purge_at",
});

export const revokedGrants = collection({
  name: "revoked_grants",
  about: "A grant whose access tokens are rejected although they have not expired.",
  scope: "tenant",
  fields: { grant_id: id, reason: string(64), created_at: instant, expires_at: instant },
  key: ["grant_id"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

export const consents = collection({
  name: "consents",
  about: "The scopes of one API that a user granted to a client, and whether the client may act for the user there (`may_act`).",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    client_id: id,
    audience_hash: hash,
    audience: string(600),
    scope: strings,
    may_act: boolean,
    revision: integer,
    created_at: instant,
    updated_at: instant,
  },
  key: ["id"],
  unique: [["user_id", "client_id", "audience_hash"]],
  indexes: [["user_id", "created_at"], ["client_id", "created_at"], ["audience_hash", "created_at"], ["created_at"]],
  sortable: ["created_at"],
});

/** `value` is the public key as the device sent it. Nothing reads it. */
export const deviceCredentials = collection({
  name: "device_credentials",
  about: "A public key that a user registered for a device and a client. It has no effect.",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    client_id: id,
    device_id: ascii(36),
    device_name: string(255),
    value: text,
    created_at: instant,
  },
  key: ["id"],
  unique: [],
  indexes: [["user_id"], ["client_id"]],
  sortable: [],
});

export const loginSessions = collection({
  name: "login_sessions",
  about: "A login in progress: the request that started it and the progress of its steps. Bound to a browser by the hash of a cookie.",
  scope: "tenant",
  fields: {
    id,
    browser_hash: nullable(hash),
    /** The cookie that the same browser received later for a login in another tab that was opened at the same time. */
    later_browser_hash: nullable(hash),
    client_id: id,
    request: object,
    progress: object,
    user_id: nullable(userId),
    revision: integer,
    created_at: instant,
    expires_at: instant,
  },
  key: ["id"],
  unique: [],
  indexes: [["user_id"]],
  sortable: [],
  expiry: "expires_at",
});

/**
 * `login_id` is the login session whose pages requested the code. The code is valid only in that login session.
 * `login_id` is null if a client requested the code at `/passwordless/start`. Then `address_hash` identifies the IP
 * address that the request came from; it is null if the host passed no IP address.
 */
export const oneTimeCodes = collection({
  name: "one_time_codes",
  about:
    "A short code sent by email or SMS. `attempts` counts wrong codes; the fifth invalidates it. `used_form` identifies the form that used the code.",
  scope: "tenant",
  fields: {
    id,
    purpose: string(32),
    identifier_hash: hash,
    code_hash: hash,
    client_id: id,
    login_id: nullable(id),
    address_hash: nullable(hash),
    user_id: nullable(userId),
    attempts: integer,
    request: object,
    created_at: instant,
    expires_at: instant,
    consumed_at: nullable(instant),
    used_form: nullable(ascii(32)),
  },
  key: ["id"],
  unique: [],
  indexes: [["purpose", "identifier_hash", "created_at"], ["user_id"]],
  sortable: [],
  expiry: "expires_at",
});

/** `recent` is read and written only by identity/one-time-codes/destination-budget.ts. */
export const destinationBudgets = collection({
  name: "destination_budgets",
  about:
    "The recent messages to one email address or phone number, and the attempts at its codes. Changed by compare-and-swap on `revision`.",
  scope: "tenant",
  fields: { subject_hash: hash, recent: object, revision: integer, updated_at: instant, expires_at: instant },
  key: ["subject_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

/** `recent` is read and written only by identity/attack-protection/hourly-count.ts. */
export const messageCounts = collection({
  name: "message_counts",
  about:
    "The recent messages to new phone numbers: of one user, to one number, to one range of numbers, or of one tenant. Changed by compare-and-swap on `revision`.",
  scope: "global",
  fields: { subject_hash: hash, recent: object, revision: integer, expires_at: instant },
  key: ["subject_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

export const tickets = collection({
  name: "tickets",
  about:
    "A link that was sent to a user: password reset, email verification. Opening the link changes nothing; submitting its form redeems the ticket.",
  scope: "tenant",
  fields: {
    ticket_hash: hash,
    purpose: string(32),
    user_id: userId,
    client_id: nullable(id),
    request: object,
    created_at: instant,
    expires_at: instant,
    consumed_at: nullable(instant),
  },
  key: ["ticket_hash"],
  unique: [],
  indexes: [["user_id"]],
  sortable: [],
  expiry: "expires_at",
});

export const loginAttempts = collection({
  name: "login_attempts",
  about: "Failed password logins of one account, or of one identifier without an account. Changed by compare-and-swap on `revision`.",
  scope: "tenant",
  fields: { subject_hash: hash, attempts: object, revision: integer, updated_at: instant, expires_at: instant },
  key: ["subject_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

export const tokenCounts = collection({
  name: "token_counts",
  about:
    "The number of tokens that a client or organization with a quota received in the current hour and day (UTC). Counted by a conditional update.",
  scope: "tenant",
  fields: { subject: ascii(80), hour: instant, hour_count: integer, day: instant, day_count: integer, expires_at: instant },
  key: ["subject"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});
