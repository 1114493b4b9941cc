import { expect, test } from "vitest";
import { readEnvironment } from "../../examples/standalone/src/environment.ts";

test("without variables, the settings have the defaults in the README", () => {
  expect(readEnvironment({}, false)).toEqual({
    port: 3000,
    host: "127.0.0.1",
    issuer: undefined,
    databaseUrl: "sqlite:./data/postern.db",
    tenantId: "main",
    adminEmail: "admin@example.com",
    given: {},
    callbackUrls: [],
    trustedProxies: [],
    providers: [],
    loginsPerMinute: 300,
    devPages: "loopback",
    logFormat: "json",
  });
  expect(readEnvironment({ PORT: "", TENANT_ID: " " }, true)).toMatchObject({ port: 3000, tenantId: "main", logFormat: "pretty" });
});

test("accepts spaces in lists, and an issuer with a path", () => {
  const variables = {
    CALLBACK_URLS: " http://localhost:5173/cb , com.example.app:/cb,",
    TRUSTED_PROXIES: "10.0.0.0/8, ::1,2001:db8::/32",
    ISSUER: "https://example.com/auth",
  };
  expect(readEnvironment(variables, false)).toMatchObject({
    callbackUrls: ["http://localhost:5173/cb", "com.example.app:/cb"],
    trustedProxies: ["10.0.0.0/8", "::1", "2001:db8::/32"],
    issuer: "https://example.com/auth",
  });
});

test.for([
  "sqlite:./data/x.db",
  "sqlite::memory:",
  "memory:",
  "pglite:./data/pg",
  "postgres://me:pw@localhost/x",
  "postgresql://h/x",
  "mysql://h/x",
  "mariadb://h/x",
])("accepts the database %s", (url) => {
  expect(readEnvironment({ DATABASE_URL: url }, false).databaseUrl).toBe(url);
});

test("a client at an identity provider requires both an id and a secret", () => {
  const google = { GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "tiger" };
  expect(readEnvironment(google, false).providers).toEqual([{ strategy: "google-oauth2", clientId: "g", clientSecret: "tiger" }]);
  expect(readEnvironment({ ...google, GITHUB_CLIENT_ID: "h", GITHUB_CLIENT_SECRET: "s" }, false).providers).toHaveLength(2);
  expect(() => readEnvironment({ GITHUB_CLIENT_ID: "h" }, false)).toThrow("GITHUB_CLIENT_SECRET is missing");
  expect(() => readEnvironment({ GITHUB_CLIENT_SECRET: "tiger" }, false)).toThrow(/^(?!.*tiger)GITHUB_CLIENT_ID is missing/);
});

test.for([
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PORT", "-1"],
  ["HOST", "my host"],
  ["ISSUER", "login.example.com"],
  ["ISSUER", "ftp://login.example.com/"],
  ["ISSUER", "https://login.example.com/?a=b"],
  ["DATABASE_URL", "oracle://scott:tiger@db/x"],
  ["DATABASE_URL", "postgres://scott:tiger@:x"],
  ["DATABASE_URL", "sqlite:"],
  ["POSTERN_SECRET", "tiger"],
  ["TENANT_ID", "Main"],
  ["TENANT_ID", "x".repeat(64)],
  ["TENANT_ID", "api"],
  ["ADMIN_CLIENT_ID", "a b"],
  ["SPA_CLIENT_ID", "x".repeat(65)],
  ["WEB_CLIENT_ID", "büro"],
  ["ADMIN_CLIENT_SECRET", "tiger"],
  ["ADMIN_EMAIL", "admin"],
  ["ADMIN_EMAIL", "jürgen@example.com"],
  ["ADMIN_EMAIL", "a@b@example.com"],
  ["ADMIN_PASSWORD", "tiger"],
  ["WEB_CLIENT_SECRET", "tiger"],
  ["CALLBACK_URLS", "http://localhost:5173/cb,nothing"],
  ["CALLBACK_URLS", "http://localhost:5173/#cb"],
  ["TRUSTED_PROXIES", "10.0.0.0/8,proxy.local"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["LOGINS_PER_MINUTE", "0"],
  ["DEV_PAGES", "on"],
  ["LOG_FORMAT", "xml"],
])("rejects %s=%s with an error that names the variable and contains no secret", ([name = "", value]) => {
  const read = () => readEnvironment({ [name]: value }, false);
  expect(read).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringMatching(new RegExp(`^${name} must .+$`)) as string }));
  expect(read).not.toThrow("tiger");
});

test("two clients cannot have the same id", () => {
  expect(() => readEnvironment({ ADMIN_CLIENT_ID: "a", SPA_CLIENT_ID: "b", WEB_CLIENT_ID: "c" }, false)).not.toThrow();
  for (const [one, other] of [
    ["ADMIN_CLIENT_ID", "SPA_CLIENT_ID"],
    ["SPA_CLIENT_ID", "WEB_CLIENT_ID"],
    ["ADMIN_CLIENT_ID", "WEB_CLIENT_ID"],
  ] as const) {
    expect(() => readEnvironment({ [one]: "same", [other]: "same" }, false)).toThrow("must be three different ids");
  }
});
