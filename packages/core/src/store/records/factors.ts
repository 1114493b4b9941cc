import { ascii, collection, hash, id, instant, integer, nullable, object, seal, string, userId } from "../description.ts";

/**
 * - `type` is a factor type of model/factors/factor-types.ts. `user_id` is the account that the factor was added to. While
 *   this account is linked to another one, the factor counts for that primary account, except for recovery codes
 *   (identity/factors/linked-factors.ts).
 * - `confirmed_at` is null until the user has used the factor once. An unconfirmed factor expires (`expires_at`),
 *   satisfies no requirement and is not offered.
 * - `secrets` contains the `totp_secret` of an authenticator app, encrypted. It is empty for other types.
 * - `address` is the email address or phone number that codes are sent to.
 * - `code_hash` is the hash of a recovery code. In another factor, it is the hash of the recovery code that becomes valid
 *   when the factor is confirmed. It is removed from the factor as soon as the recovery code is stored.
 * - `last_step` is the last TOTP time step that was accepted (RFC 6238 section 5.2: a code is accepted once), and
 *   `used_form` identifies the form with this code: if the form is submitted again within minutes, its code is accepted.
 * - `credential_hash` identifies a WebAuthn credential within its relying party; `credential` has its public key and
 *   properties. `sign_count` is its last signature counter.
 */
export const factors = collection({
  name: "factors",
  about: "A second factor or passkey that a user enrolled. The types of a user's confirmed factors are repeated in the user's row.",
  scope: "tenant",
  fields: {
    id,
    user_id: userId,
    type: string(32),
    name: nullable(string(64)),
    secrets: object,
    seal,
    address: nullable(string(320)),
    channel: nullable(string(8)),
    code_hash: nullable(hash),
    last_step: integer,
    used_form: nullable(ascii(32)),
    credential_hash: nullable(hash),
    credential: object,
    sign_count: integer,
    revision: integer,
    last_used_at: nullable(instant),
    confirmed_at: nullable(instant),
    created_at: instant,
    expires_at: nullable(instant),
  },
  key: ["id"],
  unique: [["credential_hash"]],
  indexes: [["user_id", "created_at"]],
  sortable: [],
  sealed: "secrets",
  expiry: "expires_at",
});

/** `browser_hash` is the hash of the secret of this trust. The browser's cookie contains a secret for each user who trusts it. */
export const trustedBrowsers = collection({
  name: "trusted_browsers",
  about: "A browser in which a user passed a factor and chose not to be asked again for some time.",
  scope: "tenant",
  fields: { browser_hash: hash, user_id: userId, created_at: instant, last_used_at: instant, expires_at: instant },
  key: ["browser_hash"],
  unique: [],
  indexes: [["user_id"]],
  sortable: [],
  expiry: "expires_at",
});
