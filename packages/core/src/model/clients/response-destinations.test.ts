import { expect, test } from "vitest";
import { createClientSchema } from "./bodies.ts";
import { sendsOnlyWithin, type ResponseDestinations } from "./response-destinations.ts";
import { fromCreateClient } from "./clients.ts";
import { listResourceSettings } from "../supported-settings.ts";

const maker = { newCredentialId: () => "cred_000000001", now: 0, issuer: "https://id.example.com/", signingAlgorithm: "RS256" } as const;

function clientOf(body: object): ResponseDestinations {
  return fromCreateClient(createClientSchema.parse({ name: "App", app_type: "regular_web", ...body }), maker);
}

/** A narrower and a wider value of each setting that can add destinations for codes and tokens. */
const widened: { readonly [setting: string]: readonly [object, object] } = {
  app_type: [{}, { app_type: "native" }],
  is_first_party: [{ is_first_party: false }, {}],
  grant_types: [{}, { grant_types: ["authorization_code", "implicit"] }],
  callbacks: [{}, { callbacks: ["https://app.example.com/"] }],
  web_origins: [{}, { web_origins: ["https://app.example.com"] }],
  allowed_origins: [{}, { allowed_origins: ["https://app.example.com"] }],
  initiate_login_uri: [{}, { initiate_login_uri: "https://app.example.com/" }],
};

/**
 * Supported settings that do not affect where codes and tokens are sent. A change to how the client authenticates
 * requires a separate scope.
 */
const withoutEffect = [
  "allowed_logout_urls",
  // A logout token gives no access, and no endpoint accepts it.
  "oidc_logout",
  "blocked",
  "token_endpoint_auth_method",
  "is_token_endpoint_ip_header_trusted",
  "mobile",
  "client_authentication_methods",
  "jwks_uri",
  // How requests and tokens are protected, not where they are sent.
  "compliance_level",
  "par_request_expiry",
  "require_proof_of_possession",
  "require_pushed_authorization_requests",
  "signed_request_object",
  // A login ticket goes to the client's redirect URIs, and the origins are listed above.
  "cross_origin_authentication",
  "organization_usage",
  "organization_require_behavior",
  "default_organization",
  "logo_uri",
  "tos_uri",
  "policy_uri",
  "jwt_configuration",
  "userinfo_signed_response_alg",
  "refresh_token",
  "token_quota",
  // A client acts only for users who consented to it by name.
  "token_exchange",
];

test("every supported client setting is listed as one that affects where codes and tokens are sent, or as one that does not", () => {
  const supported = listResourceSettings().find(({ title }) => title === "Client")?.supported ?? [];
  const names = new Set(supported.map((path) => path.replace(/\..*/, "")));
  expect([...names].toSorted()).toEqual([...Object.keys(widened), ...withoutEffect].toSorted());
});

test.each(Object.entries(widened))("sendsOnlyWithin is false if %s becomes wider and true if it becomes narrower", (_, [before, after]) => {
  expect(sendsOnlyWithin(clientOf(after), clientOf(before))).toBe(false);
  expect(sendsOnlyWithin(clientOf(before), clientOf(after))).toBe(true);
  expect(sendsOnlyWithin(clientOf(after), clientOf(after))).toBe(true);
});

test("compares URLs and origins that are stored in another spelling", () => {
  const spellings = { callbacks: ["https://münchen.example/cb"], web_origins: ["https://SPA.example"] };
  const client = clientOf(spellings);
  expect(sendsOnlyWithin(client, { ...client, ...spellings })).toBe(true);
});
