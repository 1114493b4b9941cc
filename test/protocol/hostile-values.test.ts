import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  authorizeParameters,
  challenge,
  codeGrant,
  login,
  obtainTokens,
  offline,
  openService,
  verifier,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { strictAdapter, stores } from "./stores.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Texts that have broken servers before. */
const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\r\nSet-Cookie: x=1",
  "\u2028",
  "💥",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "' OR 1=1 --",
  "%00%0d%0a",
  "{}",
  "[]",
  "null",
  "-1",
  "1e309",
  "x".repeat(10_000),
  "é".repeat(5000),
  "a.b.c",
  "eyJhbGciOiJub25lIn0.e30.",
  "other-manager",
  "main-manager",
];
/** Other values that JSON can contain. */
const values: readonly unknown[] = [null, true, 0, -1, 1.5, [], ["a"], {}, { a: { b: 1 } }, "\ud800"];

describe.each(stores)("hostile values on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  let app: App;
  let faults = 0;

  beforeAll(async () => {
    data = strictAdapter(await open());
    service = await openService({ data, logger: { log: ({ level }) => void (level === "error" && faults++) } });
    app = await service.register({
      secret: true,
      grant_types: ["authorization_code", "refresh_token", "client_credentials", "password", "implicit", exchangeGrant],
    });
  });
  afterAll(() => data.close?.());
  beforeEach(() => {
    faults = 0;
  });

  const client = (): { readonly client_id: string; readonly client_secret: string } => ({
    client_id: app.clientId,
    client_secret: clientSecret,
  });
  const expectHarmless = (response: Pick<ApiResponse, "status" | "headers">, sent: unknown): void => {
    const to = response.headers.get("location") ?? "";
    const own =
      to === "" ||
      to.startsWith(service.postern.issuer) ||
      to.startsWith("https://app.example.test/callback?") ||
      to.startsWith("https://app.example.test/callback#");
    expect({ sent, status: response.status < 500, own, faults }).toEqual({ sent, status: true, own: true, faults: 0 });
    for (const [, value] of response.headers) expect(value).not.toMatch(/[\r\n\0]/);
    expect(response.headers.getSetCookie().join()).not.toContain("x=1");
  };

  const authorization = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "max_age",
    "login_hint",
    "id_token_hint",
    "ui_locales",
    "screen_hint",
    "audience",
    "resource",
    "connection",
    "organization",
    "invitation",
    "claims",
    "acr_values",
    "request",
    "request_uri",
    "registration",
    "__proto__",
  ];
  test.each(authorization)(
    "hostile values of %s at /authorize cause no 5xx response and no injected header, cookie or link, by GET, form and JSON",
    async (name) => {
      const base = authorizeParameters(app, { code_challenge: challenge });
      for (const text of texts) {
        const query = new URLSearchParams([...Object.entries(base).filter(([key]) => key !== name), [name, text]]);
        expectHarmless(await service.call("GET", `/authorize?${query}`), text);
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        expectHarmless(await service.call("POST", "/authorize", { headers, body: query.toString() }), text);
      }
      for (const value of [...values, ...texts]) {
        const body = JSON.stringify(Object.fromEntries([...Object.entries(base), [name, value]]));
        expectHarmless(await service.call("POST", "/authorize", { body }), value);
      }
    },
  );

  const bodies: readonly (readonly [string, string, readonly string[], () => Promise<object>])[] = [
    [
      "/oauth/token",
      "authorization_code",
      ["grant_type", "client_id", "client_secret", "code", "redirect_uri", "code_verifier", "client_assertion", "client_assertion_type"],
      async () => codeGrant(app, (await login(service.browser(), app, service.ada, offline))["code"] ?? "", { code_verifier: verifier }),
    ],
    [
      "/oauth/token",
      "refresh_token",
      ["refresh_token", "scope", "audience", "organization"],
      async () => ({
        grant_type: "refresh_token",
        ...client(),
        refresh_token: (await obtainTokens(service, app, service.ada, offline)).refresh,
      }),
    ],
    [
      "/oauth/token",
      exchangeGrant,
      ["subject_token", "subject_token_type", "requested_token_type", "actor_token", "audience", "scope", "organization"],
      async () => ({
        grant_type: exchangeGrant,
        ...client(),
        subject_token: (await obtainTokens(service, app, service.ada)).access,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      }),
    ],
    [
      "/oauth/token",
      "password",
      ["username", "password", "scope", "audience", "realm"],
      async () => ({ grant_type: "password", ...client(), username: "user@example.test", password: "x" }),
    ],
    [
      "/oauth/token",
      "client_credentials",
      ["audience", "scope", "organization"],
      async () => ({ grant_type: "client_credentials", ...client() }),
    ],
    ["/oauth/revoke", "a token", ["token", "token_type_hint", "client_id", "client_secret"], async () => ({ ...client(), token: "x" })],
    ["/oauth/introspect", "a token", ["token", "token_type_hint"], async () => ({ ...client(), token: "x" })],
  ];
  test.each(bodies)(
    "hostile values at %s with %s cause no 5xx response and no injected header, cookie or link",
    async (path, _, names, make) => {
      const base = await make();
      for (const name of names) {
        for (const value of [...texts, ...values]) {
          expectHarmless(await service.call("POST", path, { body: JSON.stringify({ ...base, [name]: value }) }), { name, value });
        }
        for (const text of texts) {
          const body = new URLSearchParams({ ...base, [name]: text }).toString();
          expectHarmless(await service.call("POST", path, { headers: { "content-type": "application/x-www-form-urlencoded" }, body }), {
            name,
            text,
          });
        }
      }
    },
  );

  test.each([
    ["/v2/logout", ["client_id", "returnTo", "federated"]],
    ["/oidc/logout", ["id_token_hint", "client_id", "logout_hint", "post_logout_redirect_uri", "state", "ui_locales", "confirmed"]],
    ["/u/login", ["state"]],
    ["/u/flow", ["state"]],
    ["/u/invitation", ["invitation", "organization"]],
  ] as const)("responds harmlessly to hostile values at %s", async (path, names) => {
    for (const name of names) {
      for (const text of texts)
        expectHarmless(await service.call("GET", `${path}?${new URLSearchParams({ [name]: text })}`), { name, text });
    }
  });

  test("responds harmlessly to hostile headers: authorization, cookie, origin, tenant-id, accept-language", async () => {
    const unusual = [
      "",
      "Basic",
      "Basic !!!",
      "Basic Og==",
      "Bearer",
      "Bearer a.b.c",
      "=;=;=",
      "x".repeat(5000),
      "__proto__",
      "é",
      "null",
      "https://evil.test",
      ";q=,*",
    ];
    for (const name of [
      "authorization",
      "cookie",
      "origin",
      "tenant-id",
      "accept-language",
      "prefer",
      "content-type",
      "if-none-match",
      "user-agent",
    ]) {
      for (const value of unusual) {
        for (const [method, path] of [
          ["GET", "/userinfo"],
          ["GET", `/authorize?client_id=${app.clientId}&response_type=code`],
          ["POST", "/oauth/token"],
          ["GET", "/oidc/logout"],
        ] as const) {
          expectHarmless(await service.call(method, path, { headers: { [name]: value }, ...(method === "POST" && { body: "{}" }) }), {
            name,
            value,
          });
        }
      }
    }
  });
});
