import { describe, expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { mergeSecrets, splitSecrets } from "./secrets.ts";
import {
  connectionSchema,
  createConnectionSchema,
  fromCreateConnection,
  fromUpdateConnection,
  toConnection,
  updateConnectionSchema,
} from "./connections.ts";
import { databaseOptions } from "./strategies/database-options.ts";

function rowOf(body: object): Row<"connections"> {
  const { record } = fromCreateConnection(createConnectionSchema.parse(body));
  return { id: "con_1", ...record, secrets: {}, seal: "", revision: 1, created_at: 0, updated_at: 0, deleting_at: null, former_name: null };
}

function changed(row: Row<"connections">, body: object): Row<"connections"> {
  return { ...row, ...fromUpdateConnection(row, updateConnectionSchema.parse(body)).record };
}

function replyOf(row: Row<"connections">) {
  return connectionSchema.parse(toConnection(row, ["app"]));
}

describe("a new connection", () => {
  test("has Auth0's defaults", () => {
    expect(replyOf(rowOf({ name: "Users", strategy: "auth0" }))).toEqual({
      id: "con_1",
      name: "Users",
      strategy: "auth0",
      options: {
        strategy_version: 2,
        brute_force_protection: true,
        passwordPolicy: "good",
        authentication_methods: { password: { enabled: true }, passkey: { enabled: false } },
      },
      enabled_clients: ["app"],
      realms: ["Users"],
      is_domain_connection: false,
    });
    expect(rowOf({ name: "email", strategy: "email" }).options).toEqual({ brute_force_protection: true });
    expect(rowOf({ name: "google", strategy: "google-oauth2" }).options).toEqual({
      email: true,
      profile: true,
      scope: ["email", "profile"],
    });
  });

  test("stores every field of the body", () => {
    const sent = {
      name: "Users",
      strategy: "auth0",
      display_name: "Log in",
      realms: ["a", "b"],
      is_domain_connection: true,
      show_as_button: true,
      metadata: { team: "core" },
      authentication: { active: true },
      connected_accounts: { active: false, cross_app_access: true },
      cross_app_access_requesting_app: { active: true },
    };
    const options = {
      attributes: {
        email: { identifier: { active: true, default_method: "password" }, signup: { status: "required", verification: { active: true } } },
      },
      password_options: { complexity: { min_length: 12, character_types: ["number"] }, history: { active: true, size: 5 } },
      precedence: ["email", "phone_number", "username"],
      disable_signup: true,
    };
    const { options: shown, ...reply } = replyOf(rowOf({ ...sent, options, enabled_clients: ["other"] }));
    expect(reply).toEqual({ id: "con_1", ...sent, enabled_clients: ["app"] });
    expect(shown).toMatchObject(options);
    expect(databaseOptions(rowOf({ ...sent, options })).attributes).toEqual(options.attributes);
  });

  test("accepts Auth0's older options, as its tools export them", () => {
    const options = {
      mfa: { active: true, return_enroll_settings: true },
      import_mode: false,
      customScripts: { login: "function login() {}" },
      disable_signup: false,
      passwordPolicy: "low",
      password_history: { size: 5, enable: false },
      strategy_version: 2,
      requires_username: true,
      password_dictionary: { enable: true, dictionary: [] },
      brute_force_protection: true,
      password_no_personal_info: { enable: true },
      password_complexity_options: { min_length: 8 },
      enabledDatabaseCustomization: true,
      validation: { username: { min: 1, max: 15 } },
    };
    expect(rowOf({ name: "Users", strategy: "auth0", options }).options).toMatchObject(options);
  });

  test("stores unknown options of an identity provider", () => {
    expect(rowOf({ name: "aad", strategy: "waad", options: { domain: "office.com", ext_groups: true } }).options).toEqual({
      domain: "office.com",
      ext_groups: true,
    });
  });

  test.each([
    ["name", { strategy: "auth0" }],
    ["name", { name: "two words", strategy: "auth0" }],
    ["name", { name: "-dash", strategy: "auth0" }],
    ["name", { name: "a".repeat(129), strategy: "auth0" }],
    ["strategy", { name: "a" }],
    ["strategy", { name: "a", strategy: "toaster" }],
    ["display_name", { name: "a", strategy: "auth0", display_name: "a".repeat(129) }],
    ["realms", { name: "a", strategy: "auth0", realms: [""] }],
    ["metadata", { name: "a", strategy: "auth0", metadata: { key: 1 } }],
    ["authentication", { name: "a", strategy: "auth0", authentication: {} }],
    ["options", { name: "a", strategy: "auth0", options: [] }],
  ])("is rejected with a message that names %s: %j", (field, body) => {
    expect(createConnectionSchema.safeParse(body).error?.issues[0]?.path[0]).toBe(field);
  });

  test.each([
    ["auth0", { passwordpolicy: "good" }, "unknown field 'options.passwordpolicy'"],
    ["auth0", { passwordPolicy: "best" }, "'options.passwordPolicy'"],
    ["auth0", { disable_signup: "no" }, "'options.disable_signup'"],
    ["auth0", { password_history: { enable: true, size: 25 } }, "'options.password_history.size'"],
    ["auth0", { password_dictionary: {} }, "'options.password_dictionary.enable'"],
    ["auth0", { precedence: ["email", "email", "username"] }, "'options.precedence'"],
    ["auth0", { validation: { username: { min: 0, max: 5 } } }, "'options.validation.username.min'"],
    ["auth0", { attributes: {} }, "'options.attributes' must have at least one active identifier"],
    ["auth0", { attributes: { email: { identifier: { active: true } } }, requires_username: true }, "'options.requires_username'"],
    ["auth0", { attributes: { email: { toaster: 1 } } }, "unknown field 'options.attributes.email.toaster'"],
    ["email", { client_id: "x" }, "unknown field 'options.client_id'"],
    ["email", { totp: { length: 3 } }, "'options.totp.length'"],
    ["email", { email: { body: "a".repeat(20_481) } }, "'options.email.body'"],
    ["sms", { twilio_sid: "AC1" }, "'options.twilio_sid'"],
    ["sms", { twilio_token: "short" }, "'options.twilio_token'"],
    ["sms", { gateway_url: "gateway" }, "'options.gateway_url'"],
    ["sms", { totp: { time_step: 59 } }, "'options.totp.time_step'"],
    ["oidc", { token_endpoint: "javascript:alert(1)" }, "'options.token_endpoint'"],
    ["oidc", { connection_settings: { pkce: "sometimes" } }, "'options.connection_settings.pkce'"],
    ["oauth2", { tokenURL: 1 }, "'options.tokenURL'"],
    ["samlp", { thumbprints: ["xyz"] }, "'options.thumbprints[0]'"],
    ["google-oauth2", { allowed_audiences: [] }, "'options.allowed_audiences'"],
    ["github", { client_id: {} }, "'options.client_id'"],
  ])("of strategy %s is rejected with %j: %s", (strategy, options, message) => {
    expect(() => rowOf({ name: "a", strategy, options })).toThrow(message);
  });
});

describe("an update of a connection", () => {
  const row = rowOf({ name: "Users", strategy: "auth0", display_name: "Log in", metadata: { a: "1", b: "2" }, realms: ["x"] });

  test("leaves omitted fields unchanged", () => {
    expect(changed(row, {})).toEqual(row);
    expect(replyOf(changed(row, { show_as_button: true }))).toEqual({ ...replyOf(row), show_as_button: true });
  });

  test("accepts the response to a read as its body", () => {
    const { id: _id, name: _name, strategy: _strategy, ...reply } = replyOf(row);
    expect(changed(row, reply)).toEqual(row);
  });

  test("replaces the options as a whole; null resets them to the defaults", () => {
    const other = changed(row, { options: { disable_signup: true } });
    expect(other.options).toEqual({ disable_signup: true });
    expect(changed(other, { options: null }).options).toEqual(row.options);
  });

  test("validates the options against the strategy of the stored connection", () => {
    expect(() => changed(row, { options: { client_id: "x" } })).toThrow("unknown field 'options.client_id'");
  });

  test("merges metadata up to its limit", () => {
    expect(replyOf(changed(row, { metadata: { a: null, c: "3" } })).metadata).toEqual({ b: "2", c: "3" });
    expect(() => changed(row, { metadata: Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`key${index}`, ""])) })).toThrow(
      "'metadata'",
    );
  });

  test.each(["name", "strategy", "id"])("cannot change %s", (field) => {
    expect(updateConnectionSchema.safeParse({ [field]: "x" }).error?.issues[0]).toMatchObject({ keys: [field] });
  });
});

describe("secrets", () => {
  const options = {
    client_id: "ours",
    client_secret: "one",
    app_secret: "two",
    twilio_token: "three",
    gateway_authentication: { method: "jwt", secret: "four" },
    configuration: { DATABASE_PASSWORD: "five" },
    customHeaders: { authorization: "six" },
    decryptionKey: { cert: "shown", key: "seven" },
    signing_key: { cert: "shown", key: "eight" },
    admin_refresh_token: "nine",
    token_endpoint: "https://example.com/token",
    ext_access_token: true,
  };

  test("are separated from the options", () => {
    const split = splitSecrets(options);
    expect(split.options).toEqual({
      client_id: "ours",
      gateway_authentication: { method: "jwt" },
      decryptionKey: { cert: "shown" },
      signing_key: { cert: "shown" },
      token_endpoint: "https://example.com/token",
      ext_access_token: true,
    });
    expect(Object.keys(split.secrets)).toHaveLength(9);
  });

  test("are not stored in the row of a new connection", () => {
    const { record, secrets } = fromCreateConnection({
      name: "idp",
      strategy: "oidc",
      options: { client_id: "ours", client_secret: "hush" },
    });
    expect(JSON.stringify(record)).not.toContain("hush");
    expect(secrets).toEqual({ "/client_secret": "hush" });
  });

  test("stay stored if an update omits them or contains null, and are removed if an update contains an empty string", () => {
    const row = rowOf({ name: "idp", strategy: "oidc", options: { client_id: "ours", client_secret: "hush" } });
    const secretsAfter = (sent: object) =>
      mergeSecrets({ "/client_secret": "hush" }, fromUpdateConnection(row, updateConnectionSchema.parse({ options: sent })).secrets);
    expect(secretsAfter({ client_id: "new" })).toEqual({ "/client_secret": "hush" });
    expect(secretsAfter({ client_secret: "other" })).toEqual({ "/client_secret": "other" });
    expect(secretsAfter({ client_secret: null })).toEqual({ "/client_secret": "hush" });
    expect(secretsAfter({ client_secret: "" })).toEqual({});
  });

  test("are stored under a new path only, if a key that was a string is sent together with its certificate", () => {
    const split = (decryptionKey: Json) => splitSecrets({ decryptionKey });
    const stored = mergeSecrets(split("PEM").secrets, split({ cert: "shown", key: "new" }).secrets);
    expect(stored).toEqual({ "/decryptionKey/key": "new" });
    expect(mergeSecrets(stored, split("PEM").secrets)).toEqual({ "/decryptionKey": "PEM" });
  });

  test("include a private key that is a string", () => {
    expect(splitSecrets({ decryptionKey: "PEM" })).toEqual({ options: {}, secrets: { "/decryptionKey": "PEM" } });
  });

  const pem = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----";
  test.each([
    ["api_token", { api_token: "hush" }, {}],
    ["signingKey", { signingKey: "hush" }, {}],
    ["a signing_key that is a string", { signing_key: "hush" }, {}],
    ["a key beside its certificate", { signingKey: { cert: "shown", key: "hush" } }, { signingKey: { cert: "shown" } }],
    ["a secret in an object", { gateway: { url: "shown", auth: { client_secret: "hush" } } }, { gateway: { url: "shown", auth: {} } }],
    ["a list that contains a secret", { issuers: [{ name: "hidden with it", token: "hush" }], scope: ["shown"] }, { scope: ["shown"] }],
    ["a private key with another name", { certificate: `hush ${pem}`, more: { pem } }, { more: {} }],
    ["a JWK", { jwk: { kty: "EC", crv: "P-256", d: "hush" }, other: { kty: "EC", x: "shown" } }, { other: { kty: "EC", x: "shown" } }],
    ["credentials with any members", { credentials: { user: "hush", any: 1 } }, {}],
    ["a token that is a number", { access_token: 12345 }, {}],
    ["a secret inside a name with a slash and a tilde", { "a/b~c": { api_key: "hush" } }, { "a/b~c": {} }],
    ["the configuration of database scripts", { configuration: { shown: "hush" } }, {}],
  ] as const)("include %s", (_, given, rest) => {
    const split = splitSecrets(given as unknown as JsonObject);
    expect(split.options).toEqual(rest);
  });

  test("do not include options whose names only resemble secrets", () => {
    const open = {
      authentication_methods: { password: { enabled: true } },
      customScripts: { change_password: "function changePassword() {}" },
      attribute_map: { attributes: { access_token: "${context.tokenset.access_token}" } },
      fieldsMap: { password: "claim" },
      passwordPolicy: "good",
      password_history: { enable: true },
      token_endpoint: "https://example.com/token",
      token_endpoint_auth_method: "private_key_jwt",
      ext_refresh_token: true,
      consumerKey: "shown",
      kid: "shown",
    };
    expect(splitSecrets(open)).toEqual({ options: open, secrets: {} });
  });
});
