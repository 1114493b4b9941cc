import { describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openService } from "../support/flow.ts";

const { manage, postern, clock } = await openService({ logSinks: { bus: { deliver: async () => {} } }, logger: { log: () => {} } });

const id = (record: JsonBody): string => stringMember(record, "id");

describe("an update of a connection that changes where its secret is sent", () => {
  const oidc = {
    issuer: "https://idp.example.test/",
    authorization_endpoint: "https://idp.example.test/authorize",
    token_endpoint: "https://idp.example.test/token",
    jwks_uri: "https://idp.example.test/jwks",
    userinfo_endpoint: "https://idp.example.test/userinfo",
    discovery_url: "https://idp.example.test/.well-known/openid-configuration",
    client_id: "postern",
  };
  const oauth2 = {
    authorizationURL: "https://idp.example.test/authorize",
    tokenURL: "https://idp.example.test/token",
    userinfo_endpoint: "https://idp.example.test/userinfo",
    client_id: "postern",
  };
  const waad = { tenant_domain: "contoso.example", tenantId: "0b1f6b1e-5d3b-4d5a-9d3a-2f1f5f0e9a11", client_id: "postern" };
  const sms = { provider: "sms_gateway", gateway_url: "https://sms.example.test/send" };
  const evil = "https://evil.example.test/";

  const cases: readonly (readonly [strategy: string, options: JsonBody, secrets: JsonBody, names: string, changes: readonly JsonBody[]])[] =
    [
      [
        "oidc",
        oidc,
        { client_secret: "hush" },
        "options.client_secret",
        [
          ...["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "discovery_url"].map((name) => ({
            [name]: evil,
          })),
          { token_endpoint: "" },
        ],
      ],
      [
        "okta",
        { domain: "acme.okta.com", client_id: "postern" },
        { client_secret: "hush" },
        "options.client_secret",
        [{ domain: "evil.okta.com" }, { tenant_domain: "evil.okta.com" }, { issuer: evil }],
      ],
      [
        "oauth2",
        oauth2,
        { client_secret: "hush" },
        "options.client_secret",
        [{ authorizationURL: evil }, { tokenURL: evil }, { userinfo_endpoint: evil }],
      ],
      [
        "waad",
        waad,
        { client_secret: "hush" },
        "options.client_secret",
        [{ tenant_domain: "fabrikam.example" }, { tenantId: "11111111-5d3b-4d5a-9d3a-2f1f5f0e9a11" }, { useCommonEndpoint: true }],
      ],
      [
        "sms",
        sms,
        { gateway_authentication: { method: "bearer", subject: "s", audience: "a", secret: "hush" } },
        "options.gateway_authentication.secret",
        [{ gateway_url: evil }],
      ],
    ];

  test.each(cases)("requires the secret again for the strategy %s", async (strategy, options, secrets, names, changes) => {
    const path = `/api/v2/connections/${id(await manage.create("/api/v2/connections", { name: `c-${strategy}`, strategy, options: { ...options, ...secrets } }))}`;
    for (const change of changes) {
      const moved = { ...options, ...change };
      expectError(await manage("PATCH", path, { options: moved }), 400, "invalid_request", names);
      expect(jsonBody(await manage("GET", path))["options"]).toMatchObject(options);
    }
    // An update without a new destination needs no secret, and neither does one that writes back the values that it
    // read.
    const { id: _, name: _name, strategy: _strategy, ...read } = jsonBody(await manage("GET", path));
    jsonBody(await manage("PATCH", path, read));
    jsonBody(await manage("PATCH", path, { display_name: "Partner" }));
    for (const change of changes) jsonBody(await manage("PATCH", path, { options: { ...options, ...change, ...secrets } }));
  });

  test("is rejected if a previous request tries to remove the options, or if another option is sent in place of the secret", async () => {
    const options = { ...oidc, client_secret: "hush" };
    const path = `/api/v2/connections/${id(await manage.create("/api/v2/connections", { name: "steps", strategy: "oidc", options }))}`;
    expectError(await manage("PATCH", path, { options: {} }), 400, "invalid_request", "options.client_secret");
    expectError(await manage("PATCH", path, { options: null }), 400, "invalid_request", "options.client_secret");
    const other = { ...oidc, token_endpoint: evil, another_secret: "x" };
    expectError(await manage("PATCH", path, { options: other }), 400, "invalid_request", "options.client_secret");
    // `null` keeps the secret, as an omitted member does.
    const kept = { ...oidc, token_endpoint: evil, client_secret: null };
    expectError(await manage("PATCH", path, { options: kept }), 400, "invalid_request", "options.client_secret");
  });
});

describe("an update of the email provider that changes where its password is sent", () => {
  test.each([
    [
      "smtp",
      { smtp_host: "mail.example.test", smtp_port: 587, smtp_user: "u" },
      { smtp_pass: "hush" },
      [{ smtp_host: "evil.example.test" }, { smtp_port: 25 }],
    ],
    ["ses", { region: "eu-west-1" }, { accessKeyId: "a", secretAccessKey: "hush" }, [{ region: "us-east-1" }]],
    ["mailgun", { region: "eu", domain: "mg.example.test" }, { api_key: "hush" }, [{ domain: "evil.example.test" }]],
    ["ms365", {}, { tenantId: "t", clientId: "c", clientSecret: "hush" }, [{ tenantId: "evil" }]],
  ])("requires the password again for the provider %s", async (name, shown, secrets, changes: readonly JsonBody[]) => {
    const path = "/api/v2/emails/provider";
    await manage("DELETE", path);
    await manage.create(path, { name, credentials: { ...shown, ...secrets } });
    const secret = Object.entries(secrets).find(([, value]) => value === "hush")?.[0] ?? "";
    for (const credentials of changes) {
      expectError(await manage("PATCH", path, { credentials }), 400, "invalid_request", `credentials.${secret}`);
      expectError(await manage("PATCH", path, { name, credentials: { ...shown, ...credentials } }), 400, "invalid_request", secret);
    }
    jsonBody(await manage("PATCH", path, { name, credentials: shown, enabled: true }));
    jsonBody(await manage("PATCH", path, { credentials: {} }));
    for (const credentials of changes) jsonBody(await manage("PATCH", path, { credentials: { ...secrets, ...credentials } }));
  });

  test("requires the credentials again for the settings of a custom provider", async () => {
    const path = "/api/v2/emails/provider";
    await manage("DELETE", path);
    await manage.create(path, { name: "custom", credentials: { api_key: "hush" }, settings: { url: "https://mail.example.test" } });
    const settings = { url: "https://evil.example.test" };
    expectError(await manage("PATCH", path, { settings }), 400, "invalid_request", "credentials.api_key");
    jsonBody(await manage("PATCH", path, { settings, credentials: { api_key: "hush" } }));
  });
});

describe("an update of a log stream that changes where its credentials are sent", () => {
  const sink = { httpEndpoint: "https://siem.example.test/in" };
  const secrets = { httpAuthorization: "Bearer hush", httpCustomHeaders: [{ header: "x-team", value: "hush" }] };

  test("requires the credentials again", async () => {
    const path = `/api/v2/log-streams/${id(await manage.create("/api/v2/log-streams", { type: "http", sink: { ...sink, ...secrets } }))}`;
    const moved = { httpEndpoint: "https://evil.example.test/in" };
    const patch = (changed: object) => manage("PATCH", path, { sink: changed });
    expectError(await patch(moved), 400, "invalid_request", "sink.httpAuthorization");
    expectError(await patch({ ...moved, httpAuthorization: "Bearer hush" }), 400, "invalid_request", "sink.httpCustomHeaders");
    const named = { httpCustomHeaders: [{ header: "x-team" }] };
    expectError(await patch({ ...moved, httpAuthorization: "x", ...named }), 400, "invalid_request", "sink.httpCustomHeaders");
    jsonBody(await patch({ ...sink, ...named }));
    jsonBody(await patch({ ...moved, ...secrets }));
    jsonBody(await patch({ ...sink, httpAuthorization: "", httpCustomHeaders: [] }));
    jsonBody(await patch(moved));
  });

  test("requires the credentials again for any setting of a custom sink", async () => {
    const stream = await manage.create("/api/v2/log-streams", { type: "bus", sink: { topic: "a", apiKey: "hush" } });
    const path = `/api/v2/log-streams/${id(stream)}`;
    expectError(await manage("PATCH", path, { sink: { topic: "b" } }), 400, "invalid_request", "sink.apiKey");
    jsonBody(await manage("PATCH", path, { sink: { topic: "a" } }));
    jsonBody(await manage("PATCH", path, { sink: { topic: "b", apiKey: "hush" } }));
  });
});

describe("a URL with a user name and password", () => {
  const url = "https://user:hush@evil.example.test/";
  test.each([
    ["/api/v2/log-streams", { type: "http", sink: { httpEndpoint: url } }],
    ["/api/v2/log-streams", { type: "bus", sink: { broker: "amqp://user:hush@bus.example.test" } }],
    ["/api/v2/connections", { name: "u1", strategy: "oidc", options: { issuer: url } }],
    ["/api/v2/connections", { name: "u2", strategy: "oidc", options: { token_endpoint: url } }],
    ["/api/v2/connections", { name: "u3", strategy: "okta", options: { domain: "user:hush@evil.example.test" } }],
    ["/api/v2/connections", { name: "u4", strategy: "oauth2", options: { tokenURL: url } }],
    ["/api/v2/connections", { name: "u5", strategy: "waad", options: { tenant_domain: "user:hush@evil.example.test" } }],
    ["/api/v2/connections", { name: "u6", strategy: "sms", options: { gateway_url: url } }],
    ["/api/v2/emails/provider", { name: "smtp", credentials: { smtp_host: "user:hush@mail.example.test" } }],
    ["/api/v2/emails/provider", { name: "mailgun", credentials: { domain: "user:hush@mg.example.test" } }],
  ])("is rejected at %s: %j", async (path, body) => {
    await manage("DELETE", "/api/v2/emails/provider");
    expectError(await manage("POST", path, body), 400, "invalid_request", "user name or password");
  });
});

test("the audit log contains the URL of a sink without its query", async () => {
  const httpEndpoint = "https://siem.example.test/in?token=hush-in-query";
  const stream = await manage.create("/api/v2/log-streams", { type: "http", sink: { httpEndpoint } });
  jsonBody(await manage("PATCH", `/api/v2/log-streams/${id(stream)}`, { sink: { httpEndpoint: `${httpEndpoint}&more=1` } }));
  await manage("POST", "/api/v2/log-streams", { type: "bus", sink: { target: httpEndpoint } });
  await postern.jobs.deliverEvents();
  clock.advance("5s");
  const logs = JSON.stringify((await manage("GET", "/api/v2/logs?per_page=100")).body);
  expect(logs).toContain("https://siem.example.test/in");
  expect(logs).not.toContain("hush");
});
