const memberOfCredential = "`credential_type` must be `public_key`";
const attackModes =
  "failures are counted by account, independent of the address and of `mode`; the default limit is three failures within five minutes";
const whereSet =
  "a password is checked when it is set, so `shields` has no `block`; `enabled` requires a password list from the host; notifications and `method` are stored only";
const hostThresholds = "`stage` is stored only: the thresholds are those of the host's rate limiter";
const noCertificates = "no certificate is issued, independent of `type`: the host terminates TLS";
const apiFeatures =
  "`signing_alg` is `RS256`, `PS256`, `ES256`, `EdDSA` or `Ed25519`; `proof_of_possession.mechanism` is `dpop`; unsupported features (such as encryption) are accepted as `null` or false, and rejected otherwise";
const plainConnections =
  "the same as `enabled_connections`; `organization_connection_name` and `organization_access_level` must be `null`, and `is_enabled` must be true";
const factorCodes = "a code has at least six digits";
const phoneSender = "stored only: the phone sender of the host sends messages";
const relyingPartyOfDomain =
  "`overrideRelyingParty` and `relyingPartyIdentifier` are stored only: `relying_party_identifier` of a custom domain sets the RP ID";
const noSecrets = "responses contain no secrets in `options`";
const listedClients = "clients without a list of connections, which offer every database and passwordless connection, are omitted";
const firstConnection = "the first connection that is enabled for a client without a list of connections becomes its whole list";

const indexedSearch = (sorts: string): string =>
  `\`parser\` must be \`lucene\`; \`q\` has no wildcard at its start and no other fields than the reference names, none of them metadata; \`sort\` is ${sorts}; the response includes every earlier write`;

/**
 * Differences between Postern's endpoints and Auth0's. These differences are in neither the OpenAPI document nor the
 * list of Auth0's endpoints.
 */
export const auth0Notes: { readonly [title: string]: string } = {
  "GET /organizations/search": indexedSearch("`name`, `display_name` or `created_at`"),
  "GET /clients/search": indexedSearch("`name`, `client_id` or `created_at`"),
  "GET /resource-servers/search": indexedSearch("`name` or `created_at`"),
  "GET /users":
    "linked accounts are part of their primary user; with only `read:user_idp_tokens`, the response has `user_id` and `identities`; `search_engine` and `primary_order` are accepted without effect",
  "POST /users":
    "an id begins with the name of the connection, not with its strategy; a `user_id` with a pipe is used unchanged; `password` is optional in every database connection, because imports and invitations create users without one; users of identity providers are created by their first login",
  "GET /users/{id}":
    "with only `read:user_idp_tokens`, the response has `user_id` and `identities`; a linked account responds with 404, or with `linked_to` if the request has `Prefer: include-linked`",
  "PATCH /users/{id}":
    "with only `update:users_app_metadata`, the request and the response are limited to `app_metadata`; `connection` selects the account to change, by default the primary account, and the response to an unknown connection is 404; `verify_phone_number` is accepted, but no message is sent",
  "DELETE /users/{id}": "a linked account responds with 404, because it is part of its primary user",
  "POST /users/{id}/identities":
    "a linked account cannot have linked accounts; its roles, permissions, memberships and sessions are deleted",
  "GET /users/{user_id}/refresh-tokens":
    "without `from` and `take`, the response is an array, which Auth0's Java SDK cannot read; revoked tokens remain in the list, with `revoked_at`",
  "DELETE /users/{user_id}/refresh-tokens": "the tokens remain in the list, with `revoked_at`",
  "GET /user-blocks":
    "`blocked_for` has no `ip`, because failures are counted by account; `consider_brute_force_enablement` is accepted without effect; the response to an unknown identifier is 404",
  "DELETE /user-blocks": "the response to an unknown identifier is 404",
  "GET /user-blocks/{id}":
    "`blocked_for` has no `ip`, because failures are counted by account; `consider_brute_force_enablement` is accepted without effect",
  "GET /device-credentials":
    "the list has the refresh tokens that are still valid, without `device_id`, then the public keys; without `user_id`, it considers the 1,000 newest refresh tokens that were neither rotated nor revoked; it has at most the 1,000 newest public keys",
  "POST /device-credentials":
    "the public key is stored, listed and deleted, and has no other effect; the format of `value` is not checked; without `client_id`, the key is for the client of the token; a user has at most 20 public keys for each client, and the response to a further one is 409",
  "DELETE /device-credentials/{id}":
    "with only `delete:current_user_device_credentials`, the credentials of other users are treated as if they did not exist",
  "POST /organizations/{id}/connections": plainConnections,
  "PATCH /organizations/{id}/connections/{connection_id}": plainConnections,
  "GET /organizations/{id}/invitations":
    "expired invitations remain in the list; `sort` accepts `created_at` in every notation; `invitation_url` and `ticket_id` require `create:organization_invitations` and the scopes that the invitation grants",
  "GET /organizations/{id}/invitations/{invitation_id}":
    "`invitation_url` and `ticket_id` require `create:organization_invitations` and the scopes that the invitation grants",
  "POST /organizations/{id}/invitations":
    "if neither the client nor the tenant has a login URL, `invitation_url` is the URL of a page that the service serves, where Auth0 responds with 400; the URL also contains the ticket as `ticket`; the client does not need to allow organizations",
  "POST /clients": "if `organization_usage` was never set, users may sign in as members of an organization",
  "GET /clients":
    "with `is_global=true`, the list has the global client, whose login page is stored only; only the response that creates a secret contains it",
  "GET /clients/{id}": "only the response that creates a secret contains it",
  "PATCH /clients/{id}":
    "a `client_secret` must have at least 32 characters, and is not in the response; `client_secret` and `client_authentication_methods` also require `update:client_keys`",
  "DELETE /clients/{id}": "a client cannot delete itself",
  "GET /clients/{id}/connections": "the response also has the connections as `enabled_connections`, in the order of the login page",
  "POST /clients/{client_id}/credentials": `${memberOfCredential}; a client has at most 20 of them`,
  "POST /connections": `${noSecrets}; \`attribute_map.mapping_mode\` is stored only; a connection of a strategy that Postern does not support is stored and has no effect; with \`enabled_clients\`, ${firstConnection}`,
  "GET /connections": `${noSecrets}; in \`enabled_clients\`, ${listedClients}`,
  "GET /connections/{id}": `${noSecrets}; in \`enabled_clients\`, ${listedClients}`,
  "PATCH /connections/{id}": `${noSecrets}; \`attribute_map.mapping_mode\` is stored only; a secret that is not sent, or is \`null\`, remains unchanged; with \`enabled_clients\`, ${firstConnection}`,
  "GET /connections/{id}/clients": listedClients,
  "PATCH /connections/{id}/clients": firstConnection,
  "POST /resource-servers": apiFeatures,
  "PATCH /resource-servers/{id}": apiFeatures,
  "GET /resource-servers/{id}": "the Management API can be read by its identifier, and cannot be changed",
  "POST /log-streams":
    "the types are `http`, `datadog`, `splunk`, `sumo`, `segment`, `mixpanel` and those of the host's sinks; `eventbridge` and `eventgrid` are rejected; `datadog`: `ddsource` is `postern`, regions are `us`, `eu`, `us3` and `us5`; `splunk`: `sourcetype` is `_json`; `sumo`: the response omits `sumoSourceAddress`; `segment` and `mixpanel`: the name of an event is the meaning of its type",
  "GET /logs": "`from` and `take` return events up to three seconds ago, so that no event is skipped",
  "GET /grants":
    "first-party clients have none, unless an API or a request requires consent of all users; a grant without an API has the URL of `/userinfo` as its audience",
  "GET /sessions/{id}": "a revoked session responds with 404",
  "DELETE /sessions/{id}": "its refresh tokens are revoked with it",
  "GET /refresh-tokens": "tokens that were revoked, or that a rotation replaced, are omitted",
  "POST /refresh-tokens/revoke": "the rest of the rotation family of each id is revoked",
  "GET /refresh-tokens/{id}": "a revoked token is still returned, with `revoked_at`",
  "DELETE /refresh-tokens/{id}": "the rest of its rotation family is revoked",
  "GET /keys/signing": "the list includes keys of the control plane, as `inherited`; `type` selects a key bucket",
  "POST /keys/signing/rotate": "the response is the complete key",
  "PUT /keys/signing/{kid}/revoke":
    "revoking the current key creates its successor; the response for an inherited key is 403, and otherwise the complete key",
  "POST /custom-domains": noCertificates,
  "POST /custom-domains/{id}/verify": "the DNS record is a TXT record; if it is not found, `error_msg` contains the reason",
  "POST /custom-domains/{id}/test":
    "requests the discovery document of the domain; the response for a domain that is not verified is a failed test",
  "GET /attack-protection/brute-force-protection": attackModes,
  "PATCH /attack-protection/brute-force-protection": attackModes,
  "GET /attack-protection/breached-password-detection": whereSet,
  "PATCH /attack-protection/breached-password-detection": whereSet,
  "GET /attack-protection/suspicious-ip-throttling": hostThresholds,
  "PATCH /attack-protection/suspicious-ip-throttling": hostThresholds,
  "POST /users/{id}/authentication-methods": "`public_key` is a COSE key; a key in `totp_secret` needs 80 bits",
  "DELETE /users/{id}/multifactor/{provider}": "`duo` removes nothing",
  "POST /users/{id}/recovery-code-regeneration": "the response is 404 if the user has no factor",
  "PUT /guardian/factors/{name}": "`push-notification`, `duo` and `webauthn-platform` cannot be enabled",
  "PUT /guardian/factors/webauthn-roaming/settings": relyingPartyOfDomain,
  "PUT /guardian/factors/webauthn-platform/settings": "stored only: users cannot add such a factor",
  "PUT /guardian/policies": "`confidence-score` has the effect of `all-applications`, because there is no risk score",
  "PUT /guardian/factors/email/settings": factorCodes,
  "PUT /guardian/factors/phone/settings": factorCodes,
  "PUT /guardian/factors/phone/selected-provider": phoneSender,
  "PUT /guardian/factors/sms/selected-provider": phoneSender,
  "PUT /guardian/factors/phone/providers/twilio": phoneSender,
  "PUT /guardian/factors/sms/providers/twilio": phoneSender,
};
