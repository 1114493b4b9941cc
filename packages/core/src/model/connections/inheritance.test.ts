import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../store/value.ts";
import { inheritsProvider, withInheritedOptions } from "./inheritance.ts";

const connection = (strategy: string, options: JsonObject, secrets: JsonObject = {}) => ({ name: "shared", strategy, options, secrets });

describe("a connection without options of its provider inherits", () => {
  test.each([
    ["google-oauth2", {}],
    ["google-oauth2", { email: true, profile: true, scope: ["email"], calendar: false }],
    ["oidc", { type: "back_channel", attribute_map: { mapping_mode: "bind_all" }, connection_settings: { pkce: "auto" } }],
    ["oidc", { client_id: "", token_endpoint: "" }],
    ["github", { icon_url: "https://child.example.test/icon.png", domain_aliases: ["child.example.test"] }],
    ["sms", { totp: { length: 8 }, template: "Code {{ code }}", disable_signup: true, brute_force_protection: true }],
    ["email", { email: { from: "a@example.test" }, disable_signup: true }],
    ["auth0", { passwordPolicy: "low", disable_signup: true, import_mode: false, attributes: {}, mfa: { active: true } }],
    ["waad", { max_groups_to_retrieve: "5" }],
  ] satisfies [string, JsonObject][])("%s with %j", (strategy, options) => {
    expect(inheritsProvider(connection(strategy, options), connection(strategy, { client_id: "theirs" }))).toBe(true);
  });
});

describe("a connection with options of its provider inherits nothing", () => {
  test.each([
    ["google-oauth2", { client_id: "mine" }],
    ["google-oauth2", { allowed_audiences: ["mine"] }],
    ["google-oauth2", { what_nobody_knows: "https://evil.example.test" }],
    ["google-oauth2", { nested: { token_endpoint: "https://evil.example.test" } }],
    ["google-oauth2", { upstream_params: { redirect_uri: { value: "https://evil.example.test" } } }],
    ["github", { tokenURL: "https://evil.example.test" }],
    ["oidc", { token_endpoint: "https://evil.example.test/token" }],
    ["oidc", { discovery_url: "https://evil.example.test" }],
    ["oidc", { issuer: "https://evil.example.test" }],
    ["oidc", { jwks_uri: "https://evil.example.test" }],
    ["oidc", { userinfo_endpoint: "https://evil.example.test" }],
    ["oidc", { tenant_domain: "evil.example.test" }],
    ["oidc", { oidc_metadata: { token_endpoint: "https://evil.example.test" } }],
    ["okta", { domain: "evil.example.test" }],
    ["oauth2", { tokenURL: "https://evil.example.test" }],
    ["oauth2", { scripts: { fetchUserProfile: "send it" } }],
    ["oauth2", { authParamsMap: { redirect_uri: "x" } }],
    ["samlp", { signInEndpoint: "https://evil.example.test" }],
    ["samlp", { metadataXml: "<x/>" }],
    ["samlp", { signingCert: "x" }],
    ["waad", { tenant_domain: "evil.example.test" }],
    ["waad", { useCommonEndpoint: true }],
    ["apple", { team_id: "x" }],
    ["sms", { gateway_url: "https://evil.example.test" }],
    ["sms", { gateway_authentication: { audience: "x" } }],
    ["sms", { twilio_sid: `AC${"0".repeat(32)}` }],
    ["sms", { messaging_service_sid: `MG${"0".repeat(32)}` }],
    ["sms", { provider: "sms_gateway" }],
    ["sms", { from: "+15550100" }],
    ["auth0", { customScripts: { login: "send the configuration" } }],
  ] satisfies [string, JsonObject][])("%s with %j", (strategy, options) => {
    expect(inheritsProvider(connection(strategy, options), connection(strategy, { client_id: "theirs" }))).toBe(false);
  });

  test("a connection with a secret, another name or another strategy inherits nothing", () => {
    const parent = connection("oidc", { client_id: "theirs" });
    expect(inheritsProvider(connection("oidc", {}, { "/client_secret": "sealed" }), parent)).toBe(false);
    expect(inheritsProvider({ ...connection("oidc", {}), name: "Shared" }, parent)).toBe(false);
    expect(inheritsProvider(connection("oauth2", {}), parent)).toBe(false);
  });
});

test("a connection inherits the provider as a whole and preferences one by one, but no sign-up rules", () => {
  const theirs = { client_id: "theirs", token_endpoint: "https://idp.example.test/token", scope: "openid", domain_aliases: ["main.test"] };
  expect(
    withInheritedOptions(
      connection("oidc", { scope: "openid email", client_id: "", domain_aliases: ["mine.test"] }),
      connection("oidc", theirs),
    ),
  ).toEqual({
    ...theirs,
    scope: "openid email",
    domain_aliases: ["mine.test"],
  });
  const closed = { disable_signup: true, brute_force_protection: false, requires_username: true, passwordPolicy: "excellent" };
  expect(withInheritedOptions(connection("auth0", { brute_force_protection: true }), connection("auth0", closed))).toEqual({
    brute_force_protection: true,
    passwordPolicy: "excellent",
  });
  expect(
    withInheritedOptions(connection("email", {}), connection("email", { totp: { length: 8 }, email: { from: "main@example.test" } })),
  ).toEqual({
    totp: { length: 8 },
  });
});
