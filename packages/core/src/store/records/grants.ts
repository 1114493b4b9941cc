import { ascii, collection, hash, id, instant, integer, nullable, object, string, strings, text, userId } from "../description.ts";

/** `account_id` and `connection_id` say how it began: by which account of the person, their own or a linked one, at which connection. They never change. */
export const sessions = collection({
  name: "sessions",
  about: "A person's session with the tenant. It outlives every token that names it: a token whose session is not there is refused.",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    account_id: userId,
    connection_id: id,
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
    revision: integer,
    created_at: instant,
    updated_at: instant,
    purge_at: instant,
  },
  key: ["id"],
  unique: [["cookie_hash"]],
  // Sessions that are over stay for as long as tokens may refer to them: those that are not are found by their end.
  indexes: [["user_id", "created_at"], ["created_at"], ["expires_at"]],
  sortable: ["created_at"],
  expiry: "purge_at",
});

export const authorizationCodes = collection({
  name: "authorization_codes",
  about: "An authorization code (RFC 6749 section 4.1.2) with everything that the exchange will need. Consumed once, by a guarded update.",
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
    /** 0: an identity provider did not say when the user authenticated. */
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
 * `rotated_to` names the token that follows, whose text is derived from this one's (crypto/successors.ts);
 * `presented_at` says whether this token itself was ever used, which decides what a late replay of its predecessor gets.
 * `reissued_at` is when this token, still unused, was sent once more in response to a late replay of its predecessor.
 */
export const refreshTokens = collection({
  name: "refresh_tokens",
  about: "A refresh token, found by its hash. Tokens that followed one another share a family; what one login gave shares a grant.",
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
    /** As that of the code. */
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
  about: "A grant whose access tokens are refused although they have not expired.",
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
  about: "What a person allowed a third-party client to do at one API.",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    client_id: id,
    audience_hash: hash,
    audience: string(600),
    scope: strings,
    revision: integer,
    created_at: instant,
    updated_at: instant,
  },
  key: ["id"],
  unique: [["user_id", "client_id", "audience_hash"]],
  indexes: [["user_id", "created_at"], ["client_id", "created_at"], ["audience_hash", "created_at"], ["created_at"]],
  sortable: ["created_at"],
});

export const loginSessions = collection({
  name: "login_sessions",
  about: "A login in progress: the request that started it and how far it came. Bound to a browser by the hash of a cookie.",
  scope: "tenant",
  fields: {
    id,
    browser_hash: nullable(hash),
    /** The cookie that the same browser got since, by a tab that was opened at the same time. */
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
 * `login_id` is the login session whose pages requested the code: the code is valid in that login session only. Null if a client requested it with `/passwordless/start`; then `address_hash`
 * identifies the client address of that request, or is null if the host gave no address.
 */
export const oneTimeCodes = collection({
  name: "one_time_codes",
  about: "A short code sent by mail or SMS. Wrong tries are counted in `attempts`; it dies with the fifth.",
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
  },
  key: ["id"],
  unique: [],
  indexes: [["purpose", "identifier_hash", "created_at"], ["user_id"]],
  sortable: [],
  expiry: "expires_at",
});

/** `recent` is read and written by identity/one-time-codes/destination-budget.ts alone. */
export const destinationBudgets = collection({
  name: "destination_budgets",
  about:
    "The messages that were sent to one email address or phone number, and the guesses at its codes, in the last hours. Changed by compare-and-swap on `revision`.",
  scope: "tenant",
  fields: { subject_hash: hash, recent: object, revision: integer, updated_at: instant, expires_at: instant },
  key: ["subject_hash"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});

export const tickets = collection({
  name: "tickets",
  about: "A link sent to a person: password reset, address verification. Opening it changes nothing; the form behind it consumes it.",
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
  about: "Failed password logins of one account, or of one identifier that no account has. Changed by compare-and-swap on `revision`.",
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
    "How many tokens a client or an organization that has a quota was given in the current hour and day (UTC). Counted by a guarded update.",
  scope: "tenant",
  fields: { subject: ascii(80), hour: instant, hour_count: integer, day: instant, day_count: integer, expires_at: instant },
  key: ["subject"],
  unique: [],
  indexes: [],
  sortable: [],
  expiry: "expires_at",
});
