import { describe, expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import { clientSchema, createClientSchema, updateClientSchema } from "./bodies.ts";
import { clientSettings } from "./settings.ts";
import { fromCreateClient, fromUpdateClient, toClient, withCredentials, type ClientMaker } from "./clients.ts";

const now = Date.UTC(2030, 0, 1);

function makerOf(): ClientMaker {
  let made = 0;
  return { newCredentialId: () => `cred_00000000${++made}`, now, issuer: "https://id.example.com/", signingAlgorithm: "RS256" };
}

function rowOf(body: object): Row<"clients"> {
  const columns = fromCreateClient(createClientSchema.parse(body), makerOf());
  return {
    client_id: "app",
    ...columns,
    secret_hash: null,
    may_administer: false,
    revision: 1,
    created_at: 0,
    updated_at: 0,
    deleting_at: null,
  };
}

function changed(row: Row<"clients">, body: object): Row<"clients"> {
  return { ...row, ...fromUpdateClient(row, updateClientSchema.parse(body), makerOf()) };
}

function replyOf(row: Row<"clients">) {
  return clientSchema.parse(toClient(row, "main"));
}

const key = { credential_type: "public_key", pem: "-----BEGIN PUBLIC KEY-----" };
const withKey = (more: object = {}) => ({ private_key_jwt: { credentials: [{ ...key, ...more }] } });

describe("a new client", () => {
  test("has Auth0's defaults", () => {
    expect(replyOf(rowOf({ name: "App" }))).toEqual({
      client_id: "app",
      tenant: "main",
      global: false,
      name: "App",
      is_first_party: true,
      oidc_conformant: true,
      sso_disabled: false,
      cross_origin_authentication: false,
      custom_login_page_on: true,
      is_token_endpoint_ip_header_trusted: false,
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      callbacks: [],
      allowed_logout_urls: [],
      web_origins: [],
      allowed_origins: [],
      jwt_configuration: { alg: "RS256", lifetime_in_seconds: 36_000, secret_encoded: false },
      refresh_token: {
        rotation_type: "non-rotating",
        expiration_type: "non-expiring",
        leeway: 0,
        token_lifetime: 2_592_000,
        infinite_token_lifetime: true,
        idle_token_lifetime: 1_296_000,
        infinite_idle_token_lifetime: true,
        recovery_window: 86_400,
      },
    });
  });

  test.each([
    ["native", "none", "authorization_code refresh_token", "rotating"],
    ["spa", "none", "authorization_code refresh_token", "rotating"],
    ["regular_web", "client_secret_post", "authorization_code refresh_token client_credentials", "non-rotating"],
    ["non_interactive", "client_secret_post", "client_credentials", "non-rotating"],
  ])("of type %s authenticates by %s and may use %s; its refresh tokens are %s", (type, method, grants, rotation) => {
    expect(replyOf(rowOf({ name: "App", app_type: type }))).toMatchObject({
      app_type: type,
      token_endpoint_auth_method: method,
      grant_types: grants.split(" "),
      refresh_token: { rotation_type: rotation },
    });
  });

  test("is returned without its secret", () => {
    expect(JSON.stringify(toClient({ ...rowOf({ name: "App" }), secret_hash: "hash" }, "main"))).not.toContain("hash");
  });

  test("stores every field of the body", () => {
    const sent = {
      name: "App",
      description: "For everyone",
      app_type: "spa",
      is_first_party: false,
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
      callbacks: ["https://app.example.com/cb"],
      allowed_logout_urls: ["https://app.example.com"],
      web_origins: ["https://app.example.com"],
      allowed_origins: ["https://www.example.com"],
      organization_usage: "require",
      organization_require_behavior: "post_login_prompt",
      organization_discovery_methods: ["email"],
      logo_uri: "https://app.example.com/logo.png",
      tos_uri: "https://app.example.com/terms",
      policy_uri: "https://app.example.com/privacy",
      oidc_conformant: false,
      client_aliases: ["alias"],
      allowed_clients: ["other"],
      oidc_logout: {
        backchannel_logout_urls: ["https://app.example.com/logout"],
        backchannel_logout_initiators: { mode: "custom", selected_initiators: ["rp-logout"] },
        backchannel_logout_session_metadata: { include: true },
      },
      sso: true,
      sso_disabled: true,
      cross_origin_authentication: true,
      cross_origin_loc: "https://app.example.com/fallback",
      custom_login_page_on: false,
      custom_login_page: "<html>",
      addons: { samlp: { audience: "urn:app" } },
      is_token_endpoint_ip_header_trusted: true,
      mobile: { ios: { team_id: "T", app_bundle_identifier: "com.example" }, android: { sha256_cert_fingerprints: ["AA:BB"] } },
      initiate_login_uri: "https://app.example.com/login",
      native_social_login: { google: { enabled: true } },
      fedcm_login: { google: { is_enabled: true } },
      session_transfer: { allowed_authentication_methods: null, delegation: { allow_delegated_access: false } },
      encryption_key: { pub: "PEM" },
      default_organization: { organization_id: "org_abc", flows: ["client_credentials"] },
      token_exchange: { allow_any_profile_of_type: ["custom_authentication"] },
      par_request_expiry: 60,
      userinfo_signed_response_alg: "RS256",
      token_quota: { client_credentials: { per_day: 10 } },
      compliance_level: "none",
      require_pushed_authorization_requests: true,
      require_proof_of_possession: true,
      signed_request_object: { required: false },
      client_metadata: { team: "core" },
      jwt_configuration: { alg: "ES256", lifetime_in_seconds: 60, secret_encoded: true, scopes: {} },
      refresh_token: {
        rotation_type: "rotating",
        expiration_type: "expiring",
        leeway: 5,
        token_lifetime: 100,
        infinite_token_lifetime: false,
        idle_token_lifetime: 50,
        infinite_idle_token_lifetime: false,
        recovery_window: 0,
        policies: [{ audience: "https://api.example.com", scope: ["read:things"] }],
      },
      resource_server_identifier: "https://api.example.com",
    };
    expect(replyOf(rowOf(sent))).toEqual({ client_id: "app", tenant: "main", global: false, ...sent });
  });

  test("accepts the older name of oidc_logout", () => {
    const oidc_backchannel_logout = { backchannel_logout_urls: ["https://app.example.com/logout"] };
    expect(replyOf(rowOf({ name: "App", oidc_backchannel_logout })).oidc_logout).toEqual(oidc_backchannel_logout);
  });

  test.each([
    ["name", {}],
    ["name", { name: "<b>" }],
    ["description", { description: "a".repeat(141) }],
    ["app_type", { app_type: "toaster" }],
    ["callbacks", { callbacks: ["javascript:alert(1)"] }],
    ["web_origins", { web_origins: ["https://example.com/path"] }],
    ["allowed_origins", { allowed_origins: ["example.com"] }],
    ["allowed_logout_urls", { allowed_logout_urls: ["/bye"] }],
    ["logo_uri", { logo_uri: "javascript:alert(1)" }],
    ["tos_uri", { tos_uri: "http://app.example.com/terms" }],
    ["policy_uri", { policy_uri: "javascript:alert(1)" }],
    ["initiate_login_uri", { initiate_login_uri: "http://example.com" }],
    ["grant_types", { grant_types: [""] }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "tls_client_auth" }],
    ["organization_usage", { organization_usage: "maybe" }],
    ["default_organization", { default_organization: { organization_id: "abc", flows: [] } }],
    ["addons", { addons: { toaster: {} } }],
    ["par_request_expiry", { par_request_expiry: 9 }],
    ["userinfo_signed_response_alg", { userinfo_signed_response_alg: "none" }],
    ["token_quota", { token_quota: { client_credentials: {} } }],
    ["client_metadata", { client_metadata: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`key${index}`, ""])) }],
    ["client_metadata", { client_metadata: { key: "a".repeat(256) } }],
    ["client_metadata", { client_metadata: { key: null } }],
    ["jwt_configuration", { jwt_configuration: { alg: "HS256" } }],
    ["refresh_token", { refresh_token: { rotation_type: "rotating" } }],
    ["refresh_token", { refresh_token: { rotation_type: "rotating", expiration_type: "non-expiring" } }],
    ["refresh_token", { refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: -1 } }],
    ["refresh_token", { refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 61 } }],
    ["refresh_token", { refresh_token: { rotation_type: "rotating", expiration_type: "expiring", recovery_window: 604_801 } }],
    ["require_pushed_authorization_requests", { require_pushed_authorization_requests: "yes" }],
    ["par_request_expiry", { par_request_expiry: 601 }],
    ["require_proof_of_possession", { require_proof_of_possession: "yes" }],
    ["signed_request_object", { signed_request_object: { credentials: [{ credential_type: "x509_cert" }] } }],
    ["compliance_level", { compliance_level: "fapi1_adv_pkj_par" }],
    ["client_authentication_methods", { client_authentication_methods: {} }],
    ["client_authentication_methods", { client_authentication_methods: { tls_client_auth: { credentials: [] } } }],
    ["client_authentication_methods", { client_authentication_methods: withKey({ alg: "none" }) }],
    ["client_authentication_methods", { client_authentication_methods: withKey({ credential_type: "x509_cert" }) }],
    ["client_authentication_methods", { client_authentication_methods: withKey({ kid: "short" }) }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "none", client_authentication_methods: withKey() }],
  ])("is rejected with a message that names %s: %j", (field, body) => {
    const [issue] = createClientSchema.safeParse({ ...(field !== "name" && { name: "App" }), ...body }).error?.issues ?? [];
    expect(issue?.path[0]).toBe(field);
  });

  test.each(["client_id", "client_secret", "tenant", "global", "signing_keys", "toaster"])("must not contain the field %s", (field) => {
    expect(createClientSchema.safeParse({ name: "App", [field]: "x" }).error?.issues[0]).toMatchObject({ keys: [field] });
  });

  test("is rejected with a message that contains 'not supported' for each unsupported setting", () => {
    const messages = createClientSchema
      .safeParse({
        name: "App",
        jwt_configuration: { alg: "HS256" },
      })
      .error?.issues.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining("not supported")]);
  });
});

describe("an update of a client", () => {
  const row = rowOf({
    name: "App",
    description: "Mine",
    app_type: "regular_web",
    callbacks: ["https://app.example.com/cb"],
    client_metadata: { a: "1", b: "2" },
    jwt_configuration: { alg: "ES256" },
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 7, token_lifetime: 500 },
    default_organization: { organization_id: "org_abc", flows: ["client_credentials"] },
    organization_usage: "require",
  });

  test("leaves omitted fields unchanged", () => {
    expect(replyOf(changed(row, {}))).toEqual(replyOf(row));
    expect(replyOf(changed(row, { name: "New" }))).toEqual({ ...replyOf(row), name: "New" });
    expect(replyOf(changed(row, { jwt_configuration: { lifetime_in_seconds: 60 } })).jwt_configuration).toEqual({
      alg: "ES256",
      lifetime_in_seconds: 60,
      secret_encoded: false,
    });
  });

  test("accepts the response to a read as its body", () => {
    const { client_id: _id, tenant: _tenant, global: _global, ...reply } = replyOf(row);
    expect(replyOf(changed(row, reply))).toEqual(replyOf(row));
  });

  test("removes a setting that is null", () => {
    const reply = replyOf(changed(row, { default_organization: null, organization_usage: null, refresh_token: null }));
    expect(reply).not.toHaveProperty("default_organization");
    expect(reply).not.toHaveProperty("organization_usage");
    expect(reply).toMatchObject({ refresh_token: { rotation_type: "non-rotating" } });
  });

  test("merges metadata, and null removes a key", () => {
    expect(replyOf(changed(row, { client_metadata: { a: null, c: "3" } })).client_metadata).toEqual({ b: "2", c: "3" });
  });

  test("rejects an eleventh metadata key with a message that names the field", () => {
    const more = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`key${index}`, ""]));
    expect(() => changed(row, { client_metadata: more })).toThrow("'client_metadata'");
  });

  test("leaves the other refresh token settings unchanged if the types are unchanged", () => {
    const types = { rotation_type: "rotating", expiration_type: "expiring" };
    expect(replyOf(changed(row, { refresh_token: { ...types, idle_token_lifetime: 9 } })).refresh_token).toEqual({
      ...replyOf(row).refresh_token,
      idle_token_lifetime: 9,
    });
  });

  test("makes refresh tokens that never expired expire if the new types require it", () => {
    const infinite = changed(row, { refresh_token: { rotation_type: "non-rotating", expiration_type: "non-expiring" } });
    expect(infinite.settings["refresh_token"]).toMatchObject({ infinite_token_lifetime: true, leeway: 0, token_lifetime: 500 });
    expect(
      changed(infinite, { refresh_token: { rotation_type: "rotating", expiration_type: "expiring" } }).settings["refresh_token"],
    ).toMatchObject({
      infinite_token_lifetime: false,
      infinite_idle_token_lifetime: false,
      leeway: 30,
      token_lifetime: 500,
    });
  });

  test("does not store a new secret", () => {
    expect(JSON.stringify(changed(row, { client_secret: "open sesame" }))).not.toContain("sesame");
  });
});

describe("a client with a key", () => {
  const row = rowOf({ name: "App", client_authentication_methods: withKey({ name: "first", expires_at: "2031-01-01T00:00:00+01:00" }) });

  test("is returned with the ID of the key only, but its parsed settings contain the whole key", () => {
    expect(row.token_endpoint_auth_method).toBe("private_key_jwt");
    expect(replyOf(row)).not.toHaveProperty("token_endpoint_auth_method");
    expect(replyOf(row).client_authentication_methods).toEqual({ private_key_jwt: { credentials: [{ id: "cred_000000001" }] } });
    expect(clientSettings(row).client_authentication_methods?.private_key_jwt.credentials).toEqual([
      {
        id: "cred_000000001",
        credential_type: "public_key",
        name: "first",
        kid: "cred_000000001",
        alg: "RS256",
        pem: key.pem,
        created_at: "2030-01-01T00:00:00.000Z",
        updated_at: "2030-01-01T00:00:00.000Z",
        expires_at: "2030-12-31T23:00:00.000Z",
      },
    ]);
  });

  test("can refer to its own keys by ID but not to the keys of other clients", () => {
    const again = { client_authentication_methods: { private_key_jwt: { credentials: [{ id: "cred_000000001" }] } } };
    expect(changed(row, { ...again, token_endpoint_auth_method: null })).toEqual(row);
    const foreign = { client_authentication_methods: { private_key_jwt: { credentials: [{ id: "cred_x" }] } } };
    expect(() => changed(row, foreign)).toThrow("'cred_x'");
  });

  test("can switch to authentication with a secret without deleting its keys", () => {
    for (const body of [{ client_authentication_methods: null }, { token_endpoint_auth_method: "client_secret_post" }]) {
      const secret = changed(row, body);
      expect(secret.token_endpoint_auth_method).toBe("client_secret_post");
      expect(clientSettings(secret).client_authentication_methods).toBeUndefined();
      expect(clientSettings(secret).credentials).toHaveLength(1);
    }
  });

  test("no longer refers to a deleted key", () => {
    expect(clientSettings({ ...row, settings: withCredentials(row, []) })).toMatchObject({
      credentials: [],
      client_authentication_methods: { private_key_jwt: { credentials: [] } },
    });
  });

  test("rejects a repeated kid and an expired key", () => {
    const kid = "my-own-key-1";
    const twice = [key, key].map((entry) => ({ ...entry, kid }));
    expect(() => rowOf({ name: "App", client_authentication_methods: { private_key_jwt: { credentials: twice } } })).toThrow(kid);
    expect(() => rowOf({ name: "App", client_authentication_methods: withKey({ expires_at: "2029-01-01T00:00:00Z" }) })).toThrow(
      "'expires_at'",
    );
  });
});
