import { expect, test } from "vitest";
import { CreateClient } from "./bodies.ts";
import { answersWithin, type ClientAnswers } from "./answers.ts";
import { fromCreateClient } from "./clients.ts";
import { listResourceSettings } from "../supported-settings.ts";

const maker = { newCredentialId: () => "cred_000000001", now: 0, issuer: "https://id.example.com/", signingAlgorithm: "RS256" } as const;

function answersOf(body: object): ClientAnswers {
  return fromCreateClient(CreateClient.parse({ name: "App", app_type: "regular_web", ...body }), maker);
}

/** What leads a client's answers further, by setting. */
const further: { readonly [setting: string]: readonly [object, object] } = {
  app_type: [{}, { app_type: "native" }],
  is_first_party: [{ is_first_party: false }, {}],
  grant_types: [{}, { grant_types: ["authorization_code", "implicit"] }],
  callbacks: [{}, { callbacks: ["https://app.example.com/"] }],
  web_origins: [{}, { web_origins: ["https://app.example.com"] }],
  allowed_origins: [{}, { allowed_origins: ["https://app.example.com"] }],
  initiate_login_uri: [{}, { initiate_login_uri: "https://app.example.com/" }],
};

/** Supported settings that send no code or token anywhere. A change of the authentication has a scope of its own. */
const leadsNowhere = [
  "allowed_logout_urls",
  "token_endpoint_auth_method",
  "is_token_endpoint_ip_header_trusted",
  "client_authentication_methods",
  // A ticket goes where the client's other answers go, and its origins are above.
  "cross_origin_authentication",
  "organization_usage",
  "organization_require_behavior",
  "default_organization",
  "logo_uri",
  "tos_uri",
  "policy_uri",
  "jwt_configuration",
  "refresh_token",
  "token_quota",
];

test("each supported setting of a client is known to send codes and tokens further, or not", () => {
  const supported = listResourceSettings().find(({ title }) => title === "Client")?.supported ?? [];
  const names = new Set(supported.map((path) => path.replace(/\..*/, "")));
  expect([...names].toSorted()).toEqual([...Object.keys(further), ...leadsNowhere].toSorted());
});

test.each(Object.entries(further))("%s leads them further, and back is within", (_, [before, after]) => {
  expect(answersWithin(answersOf(after), answersOf(before))).toBe(false);
  expect(answersWithin(answersOf(before), answersOf(after))).toBe(true);
  expect(answersWithin(answersOf(after), answersOf(after))).toBe(true);
});
