import { reportUnhandledRequest } from "@postern/core/glue";
import { readFileSync } from "node:fs";
import { ConfigurationError, createPostern, parseKeyRing, isPosternError, type LogEntry, type PosternOptions } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";

const validOptions = {
  issuer: "http://localhost:3000/",
  data: createMemoryAdapter(),
  crypto: { secret: "0123456789abcdef0123456789abcdef" },
  defaultTenantId: "main",
};

/** Creates a service with an invalid option, as JavaScript or an unchecked environment variable can pass it. */
function createWith(invalid: { readonly [name: string]: unknown }): unknown {
  return createPostern({ ...validOptions, ...invalid } as PosternOptions);
}

function messageFor(invalid: { readonly [name: string]: unknown }): string {
  try {
    createWith(invalid);
  } catch (error) {
    expect(isPosternError(error) && error.code).toBe("configuration_error");
    return error instanceof Error ? error.message : "";
  }
  return "";
}

/** Expects a documentation page with the heading that a message or a warning refers to. */
function expectPage(reference: string): void {
  const [, file = "", anchor] = /(docs\/[\w-]+\.md)(?:#([\w-]+))?/.exec(reference) ?? [];
  const headings = [...readFileSync(new URL(`../${file}`, import.meta.url), "utf8").matchAll(/^#+ (.+)$/gm)];
  const anchors = headings.map(([, heading = ""]) => heading.toLowerCase().replaceAll(" ", "-"));
  expect(anchors).toContain(anchor ?? anchors[0]);
}

describe("createPostern reports an invalid option at once, with its name, its value, the expected value and a documentation page", () => {
  const unset: unknown = undefined;
  test.each<[name: string, wrong: { readonly [name: string]: unknown }, given: string, expected: string]>([
    ["crypto.secret", { crypto: unset }, "is undefined", "text of at least 32 characters"],
    ["crypto.secret", { crypto: { secret: unset } }, "is undefined", "text of at least 32 characters"],
    ["crypto.secret", { crypto: { secret: "" } }, "is text of 0 characters", "text of at least 32 characters"],
    ["crypto.secret", { crypto: { secret: [{ id: "1" }] } }, "is a list", "a list of keys { id, secret }"],
    ["crypto.secret", { crypto: { secret: parseKeyRing("") } }, "is a list with an empty secret", "is its environment variable set?"],
    ["crypto.secret", { crypto: { secret: "a".repeat(40) } }, "different characters", "random text"],
    ["crypto", { crypto: null }, "is null", "an object { secret, signingAlgorithm, hasher }"],
    ["crypto.secret", { crypto: { secret: [] } }, "is an empty list", "a list of keys { id, secret }"],
    ["crypto.secret", { crypto: { secret: 12_345_678 } }, "is a number", "text of at least 32 characters"],
    ["issuer", { issuer: unset }, "is undefined", "the public base URL"],
    ["issuer", { issuer: "login.example.com" }, "is 'login.example.com'", "the public base URL"],
    ["issuer", { issuer: "https://login.example.com/?a=1" }, "?a=1", "without query"],
    ["data", { data: unset }, "is undefined", "a data adapter"],
    ["data", { data: Promise.resolve(createMemoryAdapter()) }, "is a promise (is an `await` missing?)", "await openDatabase"],
    ["data", { data: createMemoryAdapter }, "is a function", "createMemoryAdapter()"],
    ["data", { data: new URL("sqlite:./app.db") }, "is an object (URL)", "a data adapter"],
    ["trustedProxies", { trustedProxies: true }, "is true", "a list of the proxies' addresses"],
    ["trustedProxies", { trustedProxies: ["loopback"] }, 'is the list ["loopback"]', "a list of the proxies' addresses"],
    ["messages.mail", { messages: { mail: async () => {} } }, "is a function", "an object with a method send()"],
    ["rateLimiter", { rateLimiter: 10 }, "is 10", "a method consume()"],
    ["breachedPasswords", { breachedPasswords: async () => [] }, "is a function", "a method range()"],
    ["crypto.hasher", { crypto: { ...validOptions.crypto, hasher: "argon2id" } }, "is 'argon2id'", "createPasswordHasher()"],
    ["actions", { actions: { onExecutePostLogin: () => {} } }, "is an object", "a list of objects"],
    [
      "actions[0].onExecutePostlogin",
      { actions: [{ onExecutePostlogin: () => {} }] },
      "unknown option",
      "use 'actions[0].onExecutePostLogin'",
    ],
    ["actions[0]", { actions: [{ name: "empty" }] }, "it has none of the functions", "onExecutePostLogin"],
    ["actions[0].onExecutePostLogin", { actions: [{ onExecutePostLogin: "code" }] }, "is 'code'", "pass a function"],
    [
      "actions[0].timeoutSeconds",
      { actions: [{ timeoutSeconds: 90, onExecutePostLogin: () => {} }] },
      "is 90",
      "a number of seconds above 0 and at most 60",
    ],
    [
      "messages.sms",
      { messages: { sms: { send: async () => {} } }, actions: [{ onExecuteSendPhoneMessage: () => {} }] },
      "only one sender of text messages is allowed",
      "onExecuteSendPhoneMessage",
    ],
    [
      "actions[0].secrets",
      { actions: [{ secrets: { key: 7 }, onExecutePostLogin: () => {} }] },
      "is an object",
      "an object of texts by name",
    ],
    ["logSinks", { logSinks: { http: { deliver() {} } } }, "is an object", "an object of sinks by type"],
    ["logSinks", { logSinks: { kinesis: () => {} } }, "is an object", "each with a method deliver()"],
    [
      "actions",
      { actions: [{ onExecuteSendPhoneMessage: () => {} }, { onExecuteSendPhoneMessage: () => {} }] },
      "only one sender of text messages is allowed",
      "onExecuteSendPhoneMessage",
    ],
    ["subdomainRouting", { subdomainRouting: { baseDomain: "id.example.com" } }, "which is not set", "pass 'controlPlane'"],
    ["logger", { logger: null }, "is null", "a method log()"],
    [
      "crypto.signingAlgorithm",
      { crypto: { ...validOptions.crypto, signingAlgorithm: "HS256" } },
      "is 'HS256'",
      '"RS256", "PS256", "ES256"',
    ],
    ["texts", { texts: { en: { identifierTitel: "x" } } }, "texts.en.identifierTitel", "no page has a text of this name"],
    ["loginPage", { loginPage: "https://id.example.com/sign-in" }, "is 'https://id.example.com/sign-in'", "a path on the issuer's host"],
    ["loginPage", { loginPage: "//elsewhere.example/" }, "is '//elsewhere.example/'", "a path on the issuer's host"],
    ["loginPage", { loginPage: "/sign-in?x=1" }, "is '/sign-in?x=1'", "without query"],
    ["controlPlane.tenantId", { controlPlane: {} }, "is undefined", "the ID of a tenant"],
    ["limits.bodyBytes", { limits: { bodyBytes: "1mb" } }, "is '1mb'", "a number of bytes"],
    ["pagination.firstPage", { pagination: { firstPage: 2 } }, "is 2", "0 or 1"],
    ["testing.clock", { testing: { clock: 0 } }, "is 0", "a method now()"],
    ["trustedProxy", { trustedProxy: ["::1"] }, "unknown option", "use 'trustedProxies'"],
    ["limits.bodyByte", { limits: { bodyByte: 1 } }, "unknown option", "use 'limits.bodyBytes'"],
    ["testing.logger", { testing: { logger: console } }, "unknown option", "use 'logger'"],
    ["checkReplys", { checkReplys: true }, "unknown option", "use 'testing.checkReplies'"],
    ["sync.role", { sync: { role: true } }, "unknown option", "use 'sync.roles'"],
    ["sync.roles", { sync: { roles: "yes" } }, "is 'yes'", "true or false"],
    ["sync", { sync: true }, "is true", "false, or an object { resourceServers, roles }"],
    ["messages.sms", { messages: { sms: {} } }, "is an object", "an object with a method send()"],
    ["messages.fax", { messages: { fax: {} } }, "unknown option", "use one of mail, sms"],
    ["colour", { colour: "red" }, "unknown option", "use one of issuer"],
    ["fetch", { fetch }, "unknown option", "use 'network.fetch'"],
    ["secret", { secret: "x" }, "unknown option", "use 'crypto.secret'"],
    ["mail", { mail: { send() {} } }, "unknown option", "use 'messages.mail'"],
    ["checkReplies", { checkReplies: true }, "unknown option", "use 'testing.checkReplies'"],
    ["logs.bodyBytes", { logs: { bodyBytes: 1 } }, "unknown option", "use 'limits.bodyBytes'"],
  ])("%s: %o", (name, invalid, given, expected) => {
    const message = messageFor(invalid);
    expect(message).not.toContain("\n");
    expect(message).toContain(`'${name}'`);
    expect(message).toContain(given);
    expect(message).toContain(expected);
    expectPage(message);
  });

  test("never includes the value of a secret in an error", () => {
    const secretsInOptions = ["hunter2", ["hunter2"], { key: "hunter2" }, [{ id: "1", secret: "hunter2" }]].flatMap((secret) => [
      { crypto: { secret } },
      { crypto: secret },
      { secret },
    ]);
    for (const invalid of secretsInOptions) {
      expect(messageFor(invalid)).not.toBe("");
      expect(messageFor(invalid)).not.toContain("hunter2");
    }
  });

  test("lists every invalid option as a finding, unknown names first", () => {
    const error = (() => {
      try {
        return createWith({ issuer: "nonsense", limits: { bodyBytes: 0, dataTimeoutSeconds: 900 }, logger: undefined, lgger: console });
      } catch (thrown) {
        return thrown;
      }
    })();
    if (!(error instanceof ConfigurationError)) throw new Error("createPostern must throw a ConfigurationError");
    expect(error.findings).toEqual([
      {
        check: "option",
        level: "error",
        option: "lgger",
        message: "unknown option 'lgger'",
        cure: "use 'logger'",
        page: "docs/embedding.md#options",
      },
      {
        check: "option",
        level: "error",
        option: "issuer",
        given: "'nonsense'",
        message: "'issuer' is 'nonsense'",
        cure: expect.stringContaining("pass the public base URL"),
        page: "docs/embedding.md#addresses",
      },
      expect.objectContaining({ option: "limits.bodyBytes", message: "'limits.bodyBytes' is 0" }),
      expect.objectContaining({ option: "limits.dataTimeoutSeconds", message: "'limits.dataTimeoutSeconds' is 900" }),
    ]);
    expect(error.message.split("\n- ")).toEqual([
      "createPostern:",
      "unknown option 'lgger': use 'logger'. See docs/embedding.md#options",
      expect.stringMatching(/^'issuer' is 'nonsense': pass the public base URL, .+\. See docs\/embedding\.md#addresses$/),
      expect.stringContaining("'limits.bodyBytes'"),
      expect.stringContaining("'limits.dataTimeoutSeconds'"),
    ]);
  });

  test("lists the missing options of a call without options", () => {
    expect(() => createPostern(undefined as unknown as PosternOptions)).toThrow(
      /'issuer' is undefined[^]+'data' is undefined[^]+'crypto\.secret' is undefined/,
    );
    expect(() => createPostern(null as unknown as PosternOptions)).toThrow(
      "createPostern: the argument is null: pass an object of options",
    );
  });

  test("sets the error of an unusable secret as the cause", () => {
    const weak = { ...validOptions, crypto: { secret: "a".repeat(40) } };
    expect(() => createPostern(weak)).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }));
  });

  test("accepts instances of classes as actions, hooks and sinks", () => {
    class Sink {
      async deliver(): Promise<void> {}
    }
    class Hooks {
      onTenantCreated(): void {}
    }
    class Roles {
      readonly name = "roles";
      readonly secrets = new (class {
        readonly key = "k";
      })();
      onExecutePostLogin(): void {}
    }
    const logSinks = new (class {
      readonly kinesis = new Sink();
    })();
    expect(() => createWith({ actions: [new Roles()], hooks: new Hooks(), logSinks })).not.toThrow();
  });

  test("accepts valid options and optional options that are undefined", () => {
    expect(() =>
      createWith({
        messages: { mail: undefined },
        testing: undefined,
        trustedProxies: ["10.0.0.0/8", "::1"],
        logs: { retentionDays: Infinity },
      }),
    ).not.toThrow();
  });
});

describe("a configuration mistake that only requests reveal", () => {
  async function service(options: Partial<PosternOptions> = {}) {
    const entries: LogEntry[] = [];
    const postern = createPostern({
      ...validOptions,
      data: createMemoryAdapter(),
      logger: { log: (entry) => void entries.push(entry) },
      ...options,
    });
    if (options.defaultTenantId === undefined) await postern.seed({ tenantId: "main" });
    const statusOf = async (url: string): Promise<number> => (await postern.fetch(new Request(url))).status;
    return { postern, ask: statusOf, warnings: () => entries.filter(({ event }) => event === "setup") };
  }

  test("a default tenant that does not exist causes one warning, and responses do not reveal the mistake", async () => {
    const { ask: statusOf, warnings } = await service({ defaultTenantId: "mian" });
    expect(await statusOf("http://localhost:3000/.well-known/openid-configuration")).toBe(404);
    expect(await statusOf("http://localhost:3000/authorize?client_id=c")).toBe(404);
    expect(warnings()).toMatchObject([{ level: "warn", option: "defaultTenantId", given: "mian" }]);
    expectPage(String(warnings()[0]?.["page"]));
  });

  test("a host other than the issuer's causes one warning, and responses contain the configured issuer", async () => {
    const { ask: statusOf, warnings } = await service();
    expect(await statusOf("http://localhost:3000/.well-known/openid-configuration")).toBe(200);
    expect(warnings()).toEqual([]);
    expect(await statusOf("http://127.0.0.1:3000/.well-known/openid-configuration")).toBe(200);
    expect(await statusOf("http://app.internal:3000/.well-known/openid-configuration")).toBe(200);
    expect(warnings()).toMatchObject([{ option: "issuer", given: "http://localhost:3000/" }]);
    expect(warnings()[0]?.["seen"]).toContain("127.0.0.1:3000");
    expectPage(String(warnings()[0]?.["page"]));
  });

  test("a custom domain of a tenant causes no warning", async () => {
    const { postern, ask: statusOf, warnings } = await service({ issuer: "https://login.example.test/" });
    await postern.seed({ tenantId: "main", domains: ["login.customer.test"] });
    expect(await statusOf("https://login.customer.test/.well-known/openid-configuration")).toBe(200);
    expect(warnings()).toEqual([]);
  });

  test.each([
    ["requests have a path that the issuer lacks", "http://localhost:3000/", "/auth/oauth/token", "'http://localhost:3000/auth/'"],
    ["a framework removed the issuer's path", "http://localhost:3000/auth/", "/authorize", "mounted at '/auth/'"],
    [
      "requests are below another path than the issuer's",
      "http://localhost:3000/auth/",
      "/login/authorize",
      "'http://localhost:3000/login/'",
    ],
  ])("causes one warning if %s", async (_, issuer, path, expected) => {
    const { postern, warnings } = await service({ issuer });
    const method = path.endsWith("token") ? "POST" : "GET";
    const statusOf = async (requestPath: string) =>
      (await postern.fetch(new Request(`http://localhost:3000${requestPath}`, { method }))).status;
    expect(await statusOf("/favicon.ico")).toBe(404);
    expect(await statusOf("/a/b/c/d/e/f/g")).toBe(404);
    expect(warnings()).toEqual([]);
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf(path)).toBe(404);
    expect(warnings()).toMatchObject([{ option: "issuer", given: issuer }]);
    expect(warnings()[0]?.["expected"]).toContain(expected);
    expectPage(String(warnings()[0]?.["page"]));
  });

  test("causes one warning for an unhandled request that looks like Postern's, and none for pages of the app", async () => {
    const { postern, warnings } = await service({ issuer: "http://localhost:3000/auth/" });
    const reportUnhandled = (path: string): Promise<void> =>
      reportUnhandledRequest(postern, { method: "GET", url: `http://localhost:3000${path}` });
    for (const path of ["/", "/products/7", "/login"]) await reportUnhandled(path);
    expect(warnings()).toEqual([]);
    for (const path of ["/login/authorize?client_id=a", "/login/.well-known/openid-configuration"]) await reportUnhandled(path);
    expect(warnings()).toMatchObject([
      { option: "issuer", seen: "a request for '/login/authorize', which is Postern's '/authorize' below '/login/'" },
    ]);
  });
});

test("a database without tables responds with 503, and the log names the missing migration", async () => {
  const entries: LogEntry[] = [];
  const data = await openDatabase("sqlite::memory:");
  const postern = createPostern({ ...validOptions, data, logger: { log: (entry) => void entries.push(entry) } });
  const discovery = () => postern.fetch(new Request("http://localhost:3000/.well-known/openid-configuration"));
  const response = await discovery();
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
    503,
    "1",
    { error: "temporarily_unavailable", error_description: "the service is temporarily unavailable; try again" },
  ]);
  const fault = entries.find(({ event }) => event === "fault")?.["error"];
  expect(String(fault instanceof Error ? fault.cause : fault)).toContain("run migrate()");

  await data.migrate();
  await postern.seed({ tenantId: "main" });
  expect((await discovery()).status).toBe(200);
  await data.close();
});
