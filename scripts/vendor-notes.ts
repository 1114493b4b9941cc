const memberOfCredential = "`credential_type` is `public_key` alone";
const attackModes =
  "failures are counted by account, from whatever address, whatever `mode` says; the default is three of them within five minutes";
const whereSet =
  "passwords are looked up where one is set, so `shields` has no `block`; `enabled` needs a list of the host's; notifications and `method` are kept and do nothing";
const ownThresholds = "`stage` is kept and does nothing: thresholds are those of the rate limiter that the host brings";
const noCertificates = "no certificate is issued, whatever the `type`: TLS ends at the host";
const apiFeatures =
  "`signing_alg` is `RS256` or `ES256`; what an API cannot have here (encryption, proof of possession and the like) is taken as `null` or false, and refused otherwise";
const plainConnections =
  "the same as `enabled_connections`; `organization_connection_name` and `organization_access_level` are taken as `null` alone, `is_enabled` as true";
const noSecrets = "secrets in `options` are in no reply";

/** How served endpoints differ from the vendor's where neither the OpenAPI document nor the list of the vendor's endpoints says it. */
export const vendorNotes: { readonly [title: string]: string } = {
  "GET /users":
    "linked accounts are inside their primary user; `read:user_idp_tokens` alone shows `user_id` and `identities`; `search_engine` and `primary_order` are taken and change nothing",
  "POST /users":
    "an id begins with the name of the connection, not with its strategy; accounts of identity providers are made by their first login",
  "GET /users/{id}":
    "`read:user_idp_tokens` alone shows `user_id` and `identities`; a linked account answers 404, or itself with `linked_to` where `Prefer: include-linked` asks for it",
  "PATCH /users/{id}":
    "`update:users_app_metadata` alone changes and shows `app_metadata`; without `connection` the primary account is changed, with it the account of that connection, and a connection that the user has not is a 404; `verify_phone_number` is taken, and no message is sent",
  "DELETE /users/{id}": "a linked account answers 404, because it is part of its primary user",
  "POST /users/{id}/identities":
    "links are one hop deep; what the linked account had of its own (roles, permissions, memberships, sessions) is dropped",
  "GET /users/{user_id}/refresh-tokens": "revoked tokens stay listed, with `revoked_at`",
  "DELETE /users/{user_id}/refresh-tokens": "the tokens stay listed, with `revoked_at`",
  "GET /user-blocks":
    "`blocked_for` has no `ip`, because failures are counted by account; `consider_brute_force_enablement` is taken and changes nothing; an identifier that nobody has is a 404",
  "DELETE /user-blocks": "an identifier that nobody has is a 404",
  "GET /user-blocks/{id}":
    "`blocked_for` has no `ip`, because failures are counted by account; `consider_brute_force_enablement` is taken and changes nothing",
  "POST /organizations/{id}/connections": plainConnections,
  "PATCH /organizations/{id}/connections/{connection_id}": plainConnections,
  "GET /organizations/{id}/invitations": "expired invitations stay listed; `sort` takes `created_at` in every notation",
  "POST /organizations/{id}/invitations":
    "where neither the client nor the tenant has a login address, `invitation_url` is a page of the service, and not a 400; it carries the ticket as `ticket` too; a client that takes no organizations otherwise may be named",
  "POST /clients": "where `organization_usage` was never set, people may sign in as members of an organization",
  "GET /clients": "there is no global client: `is_global=true` finds nothing; a secret is only in the reply that makes it",
  "GET /clients/{id}": "a secret is only in the reply that makes it",
  "PATCH /clients/{id}":
    "a `client_secret` has at least 32 characters, and is not in the reply; `client_secret` and `client_authentication_methods` take `update:client_keys` as well",
  "DELETE /clients/{id}": "a client cannot delete itself",
  "GET /clients/{id}/connections": "the connections are there as `enabled_connections` as well, in the order of the login page",
  "POST /clients/{client_id}/credentials": `${memberOfCredential}; a client has at most 20 of them`,
  "POST /connections": `${noSecrets}; a connection of a strategy that Postern does not support is stored and has no effect`,
  "GET /connections": noSecrets,
  "GET /connections/{id}": noSecrets,
  "PATCH /connections/{id}": `${noSecrets}; one that is not sent stays`,
  "POST /resource-servers": apiFeatures,
  "PATCH /resource-servers/{id}": apiFeatures,
  "GET /resource-servers/{id}": "the Management API itself is found by its identifier, and cannot be changed",
  "GET /logs": "what `from` and `take` read ends three seconds before now, so that no event is passed over",
  "GET /grants":
    "first-party clients have none, except where an API or a request has everybody asked; what was allowed without an API has the address of `/userinfo` as its audience",
  "GET /sessions/{id}": "a session that was revoked answers 404",
  "DELETE /sessions/{id}": "its refresh tokens are revoked with it",
  "GET /refresh-tokens/{id}": "a token that was revoked still answers, with `revoked_at`",
  "DELETE /refresh-tokens/{id}": "the rest of its rotation family is revoked",
  "GET /keys/signing": "keys of the control plane are listed as well, as `inherited`; `type` chooses a bucket",
  "POST /keys/signing/rotate": "the reply is the whole key",
  "PUT /keys/signing/{kid}/revoke":
    "the current key gets its successor in the same call; an inherited key is a 403; the reply is the whole key",
  "POST /custom-domains": noCertificates,
  "POST /custom-domains/{id}/verify": "the record to set is a TXT record; where it is not found, `error_msg` says why",
  "GET /attack-protection/brute-force-protection": attackModes,
  "PATCH /attack-protection/brute-force-protection": attackModes,
  "GET /attack-protection/breached-password-detection": whereSet,
  "PATCH /attack-protection/breached-password-detection": whereSet,
  "GET /attack-protection/suspicious-ip-throttling": ownThresholds,
  "PATCH /attack-protection/suspicious-ip-throttling": ownThresholds,
};
